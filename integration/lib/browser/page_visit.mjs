// Reads the page of a real Clojure service as a person would, in headless Chromium. Prints one line of JSON for each case: its
// name, and its error or null. HEARTH_SCREENSHOTS is a folder for pictures of every view in both themes.
//   node page_visit.mjs FILE TRANSFORMED
// TRANSFORMED: a page of the same that was given transforms and a highlight when it was made (TRANSFORMS and HIGHLIGHT below).
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {cutFigures, faintTexts, namelessControls} from '../../../tests/html/browser/readable.mjs';

import {plain, runCases, troubles, Visit} from './page_browser.mjs';

const VIEWS = ['flame', 'callers', 'sandwich', 'tree', 'top', 'packages', 'lines'];
const TRANSFORMS = [{type: 'merge-similar'}, {type: 'hide', what: '/^clojure/'}];
const HIGHLIGHT = 'cheshire';
// A crumb that leads out again.
const ZOOMED = '#crumbs button:text-is("all")';
const countOf = (page) => page.locator('.transform').count();

class PageVisit extends Visit {
  async theHeaderTellsWhatItIsAndHowGood() {
    this.page = await this.open();
    assert.match(await this.text('#facts'), /cpu.*wall.*VM/s);
    await this.page.click('#verdict');
    assert.match(await this.text('#account'), /^(Good profile|Read with care).*samples in \d/s);
    await this.page.click('#bracketed summary');
    assert.match(await this.text('#bracketed-words'), /\[parked\]\s+Blocked: in LockSupport\.park/);
    await this.page.keyboard.press('Escape');
  }

  async everyViewHasSomethingToShow() {
    for (const view of ['tree', 'top', 'packages']) {
      await this.page.click(`#view-${view}`);
      await this.until(() => document.querySelectorAll('.table tbody tr:not(.spacer)').length > 1);
      assert.ok((await this.rows()).length > 5, view);
    }
    await this.page.click('#view-top');
    assert.match((await this.rows())[0].join(' '), /^\S.* [\d.,]+ [\d.]+( ± [\d.]+)? [\d.,]+ [\d.]+/);
    assert.match(await this.text('.table:visible th.self'), /^Self\s+\(m?s\)$/);
    await this.page.click('#view-sandwich');
    await this.page.waitForSelector('.middle b:not(:empty)');
  }

  async aValueChangesAndTheViewStays() {
    const middle = await this.text('.middle b');
    await this.page.click('#lenses button:text-is("Wall time")');
    await this.until(() => document.querySelector('#lenses [aria-pressed="true"]').textContent.startsWith('Wall'));
    assert.equal(await this.text('.middle b'), middle);
    await this.page.click('#lenses button:text-is("CPU time")');
  }

  async everyValueKeepsWhatIsZoomedAndSearched() {
    await this.with('#search=cheshire', async (page) => {
      for (const key of ['n', 'Enter']) await page.keyboard.press(key);
      await page.waitForSelector(ZOOMED);
      const here = await this.text('#crumbs .here');
      assert.match(here, /cheshire/);
      for (const value of await page.locator('#lenses button').allInnerTexts()) {
        await page.click(`#lenses button:text-is("${value}")`);
        await page.waitForSelector(`#lenses [aria-pressed="true"]:text-is("${value}")`);
        await page.waitForSelector('#busy', {state: 'hidden'});
        assert.equal(await page.inputValue('#search'), 'cheshire', value);
      }
      // Where a value has nothing of the frame, the page zooms as far as it can, and comes back with the value.
      await page.click('#lenses button:text-is("CPU time")');
      await this.until((name) => document.querySelector('#crumbs .here')?.textContent === name, here);
    });
  }

  async anotherViewStaysWithTheFrame() {
    await this.with('#search=cheshire.generate/generate', async (page) => {
      await page.keyboard.press('n');
      const name = await this.text('#tooltip .name');
      for (const view of ['top', 'tree']) {
        await page.click(`#view-${view}`);
        await page.waitForSelector('.table:visible [aria-selected="true"]');
        assert.equal(await this.activeRow(), name, view);
      }
      await page.click('#view-sandwich');
      assert.equal(await this.text('.middle b'), name);
      await page.click('#view-flame');
      await page.waitForSelector('.box.selected:visible');
      await page.click('#view-callers');
      assert.ok(await page.locator('#graph').isVisible());
    });
  }

  async linesAreThoseOfTheSource() {
    await this.page.click('#view-top');
    await this.page.fill('#search', 'cheshire|clojure');
    await this.until(() => document.getElementById('matched').textContent !== '');
    await this.page.locator('.table:visible tbody .name').first().click({position: {x: 300, y: 10}});
    await this.page.click('#view-lines');
    await this.until(() => /line \d+/.test(document.getElementById('stage').innerText));
    await this.page.fill('#search', '');
  }

  async aThreadIsChosenAndGroupedBy() {
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('Escape');
    await this.page.click('#view-top');
    await this.page.click('#toggle-panel');
    await this.page.waitForSelector('.label[data-key="thread"] li label');
    const before = (await this.rows())[0];
    await this.page.locator('.label[data-key="thread"] li label').first().click();
    await this.until((cell) => document.querySelector('.table tbody tr:not(.spacer) .total')?.innerText.trim() !== cell, before[3]);
    assert.ok(this.page.url().includes('labels='));
    await this.page.click('.label[data-key="thread"] button:text-is("Clear")');
    await this.page.click('.label[data-key="thread"] button:text-is("Group by thread")');
    await this.page.click('#view-tree');
    await this.until(() => document.querySelectorAll('[role="treegrid"] tbody tr').length > 3);
    await this.page.click('#transform-0-delete');
  }

  async aTimeIsChosenByDragging() {
    await this.page.click('#view-top');
    const before = (await this.rows())[0];
    await this.drag(0.3, 0.5);
    await this.until((cell) => document.querySelector('.table tbody tr:not(.spacer) .total')?.innerText.trim() !== cell, before[3]);
    assert.match(await this.text('#time-text'), /^[\d.]+ m?s to [\d.]+ m?s · [\d.]+ CPUs · [\d.]+ % of total$/);
    await this.page.click('#time-reset');
    await this.until(() => !location.hash.includes('time='));
  }

  async thePresetTakesTheSeqMachineryAway() {
    await this.page.click('#view-top');
    const count = async () => parseInt((await this.text('.view-of-table:visible .note')).replace(/,/g, ''), 10);
    const before = await count();
    const label = await this.page.locator('#add-preset option', {hasText: 'seq'}).first().innerText();
    await this.page.selectOption('#add-preset', {label});
    await this.until((rows) => parseInt(document.querySelector('.view-of-table:not([hidden]) .note').textContent.replace(/,/g, ''), 10) < rows, before);
    await this.page.goBack();
    await this.until(() => !location.hash.includes('transforms='));
    assert.equal(await count(), before);
  }

  async theMenuLeadsOn() {
    await this.page.click('#close-panel');
    await this.page.click('#view-flame');
    for (let i = 0; i < 5; i++) await this.page.keyboard.press('ArrowUp');
    const name = await this.text('#tooltip .name');
    await this.page.keyboard.press('Shift+F10');
    await this.page.click('#menu button:has-text("Keep only stacks with this frame")');
    await this.until(() => location.hash.includes('transforms='));
    assert.equal(await this.text('#panel-count'), '1');
    await this.page.keyboard.press('3');
    await this.until((wanted) => document.querySelector('.middle b')?.textContent === wanted, name);
    await this.page.goBack();
    await this.page.goBack();
  }

  async searchingGoesRoundTheMatches() {
    await this.page.keyboard.press('1');
    await this.page.keyboard.press('/');
    await this.page.keyboard.type('json|cheshire');
    await this.page.keyboard.press('Enter');
    // Beginning where the reader is.
    await this.until(() => /^\d+\/\d/.test(document.getElementById('position').textContent));
    const [first, count] = (await this.text('#position')).split('/').map(Number);
    assert.match(await this.text('#tooltip .name'), /json|cheshire/i);
    await this.page.keyboard.press('n');
    await this.until((next) => document.getElementById('position').textContent === next, `${first % count + 1}/${count}`);
    await this.page.reload();
    await this.page.waitForSelector('#matched:not(:empty)');
    assert.equal(await this.page.inputValue('#search'), 'json|cheshire');
  }

  async aSearchStaysWhileZooming() {
    await this.with('#search=cheshire', async (page) => {
      await this.until(() => /%$/.test(document.getElementById('matched').textContent));
      const share = await this.text('#matched');
      assert.match(await page.getAttribute('#matched', 'title'), /^[\d.]+.m?s in matching stacks, \d[\d,]* frames$/);
      for (const key of ['n', 'Enter']) await page.keyboard.press(key);
      await page.waitForSelector(ZOOMED);
      assert.equal(await this.text('#matched'), share);
      await page.keyboard.press('0');
      await page.waitForSelector(ZOOMED, {state: 'hidden'});
      assert.equal(await this.text('#matched'), share);
    });
  }

  async highlightsAreSeveralAndHaveTheirShares() {
    await this.with('#panel=1', async (page) => {
      for (const pattern of ['cheshire', 'clojure', 'java/']) {
        await page.fill('#add-highlight', pattern);
        await page.keyboard.press('Enter');
      }
      const told = (await page.locator('.highlight').allInnerTexts()).map(plain);
      assert.equal(told.length, 3);
      for (const text of told) assert.match(text, /^\S+\s+[\d.]+ %/);
      const colours = await page.locator('.highlight .swatch').evaluateAll((swatches) => swatches.map(({style}) => style.background));
      assert.equal(new Set(colours).size, 3);
    });
  }

  async transformsAreToggledEditedMovedAndKept() {
    await this.with('#view=top&panel=1', async (page) => {
      const methods = () => this.rows().then((rows) => rows.map((row) => row[0]));
      await page.selectOption('#add-transform', 'replace');
      await page.fill('#transform-0-what', '/^clojure\\.core\\/([^;]*)$/');
      await page.fill('#transform-0-replacement', 'core:$1');
      await this.until(() => [...document.querySelectorAll('.table .name')].some(({innerText}) => innerText.startsWith('core:')));
      await page.selectOption('#add-transform', 'hide');
      await page.fill('#transform-1-what', '/^core:/');
      await this.until(() => ![...document.querySelectorAll('.table .name')].some(({innerText}) => /^core:/.test(innerText)));
      // Hidden before they are renamed they are not found by that name.
      await page.click('#transform-1-up');
      await this.until(() => [...document.querySelectorAll('.table .name')].some(({innerText}) => innerText.startsWith('core:')));
      await page.uncheck('#transform-1-on');
      await this.until(() => [...document.querySelectorAll('.table .name')].some(({innerText}) => innerText.startsWith('clojure.core/')));
      await page.click('#save-preset');
      await page.fill('.entry input[aria-label="Name of the preset"]', 'of the visit');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#add-preset option:text-is("of the visit")', {state: 'attached'});
      const kept = await methods();
      await page.reload();
      await page.waitForSelector('body[data-state="ready"]');
      await page.waitForSelector('.transform >> nth=1');
      assert.deepEqual(await methods(), kept);
      for (let i = 0; i < 2; i++) await page.click('#transform-0-delete');
      await page.selectOption('#add-preset', {label: 'of the visit'});
      assert.equal(await countOf(page), 2);
    });
  }

  async transformsOfTheGenerationAreThereAndCanBeTakenBack() {
    await this.with('#panel=1', async (page) => {
      assert.equal(await countOf(page), TRANSFORMS.length);
      assert.equal(await page.inputValue('#transform-1-what'), TRANSFORMS[1].what);
      assert.match(await this.text('.highlight'), new RegExp(`^${HIGHLIGHT}`));
      await page.click('#view-packages');
      const hasClojure = () => this.rows().then((rows) => rows.some((row) => row[0] === 'clojure.core'));
      assert.ok(!await hasClojure());
      await page.uncheck('#transform-1-on');
      await this.until(() => [...document.querySelectorAll('.table .name')].some(({innerText}) => innerText.trim() === 'clojure.core'));
    }, {}, this.addresses[1]);
  }

  async theMenuCopiesRemovesHighlightsAndOpensSources() {
    await this.with('', async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(() => localStorage.clear());
      await page.keyboard.press('/');
      await page.keyboard.type('cheshire');
      await page.waitForSelector('#matched:not(:empty)');
      await page.keyboard.press('Enter');
      await page.locator('#search').blur();
      const name = await this.text('#tooltip .name');
      const choose = async (entry) => {
        await page.keyboard.press('Shift+F10');
        await page.click(`#menu button:has-text("${entry}")`);
      };
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await choose('Copy name');
      await page.waitForSelector('#status:text("Name copied")');
      assert.equal(await clipboard(), name);
      await choose('Copy stack');
      await page.waitForSelector('#status:text("Stack copied")');
      assert.ok((await clipboard()).endsWith(`;${name}`));
      await choose('Highlight');
      await this.until(() => location.hash.includes('highlights='));
      await choose('Set a source link');
      await page.fill('#source-link', 'vscode://file/src/{file}:{line}');
      await page.keyboard.press('Escape');
      await page.evaluate(() => window.open = (link) => document.title = link);
      await choose('Open source');
      assert.match(await page.title(), /^vscode:\/\/file\/src\/cheshire\/\S+\.clj:\d+$/);
      await choose('Remove stacks with this frame');
      await this.until(() => document.getElementById('panel-count').innerText === '1');
    });
  }

  async aFingerTellsZoomsAndOpensTheMenu() {
    const phone = {hasTouch: true, isMobile: true, viewport: {width: 390, height: 780}};
    await this.with('', async (page) => {
      const box = await page.locator('#graph canvas').boundingBox();
      const point = {x: box.x + box.width / 2, y: box.y + box.height - 90};
      await page.touchscreen.tap(point.x, point.y);
      await page.waitForSelector('#tooltip:not([hidden])');
      assert.ok(!await page.isVisible(ZOOMED));
      await page.touchscreen.tap(point.x, point.y);
      await page.waitForSelector(ZOOMED);
      const touch = await page.context().newCDPSession(page);
      await touch.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [point]});
      await page.waitForSelector('#menu:not([hidden])');
      await touch.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    }, phone);
    for (const view of VIEWS) {
      await this.with(`#view=${view}`, async (page) => {
        const beyond = await page.evaluate(() => document.body.scrollWidth - document.documentElement.clientWidth);
        assert.equal(beyond, 0, `${view} is wider than the screen`);
        assert.deepEqual(await page.evaluate(cutFigures), [], view);
      }, phone);
    }
  }

  async aScreenReaderIsGivenTextOfEverything() {
    await this.with('#view=tree', async (page) => {
      const grid = page.locator('[role="treegrid"]');
      assert.ok(await grid.getAttribute('aria-label'));
      assert.ok(Number(await grid.getAttribute('aria-rowcount')) > 5);
      for (const row of await grid.locator('tbody tr:not(.spacer)').all()) assert.ok(Number(await row.getAttribute('aria-level')) > 0);
      await page.click('#view-top');
      assert.equal(await page.locator('th[aria-sort="descending"]:visible').count(), 1);
      assert.equal(await page.getAttribute('#stage', 'aria-labelledby'), 'view-top');
      await page.click('#view-flame');
      assert.match(await page.getAttribute('#graph canvas', 'aria-label'), /the Tree view shows the same as text/);
      for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
      await this.until(() => document.querySelector('#status.silent')?.textContent.includes('%'));
    });
  }

  async itIsPrintedAndSaved() {
    await this.with('', async (page) => {
      assert.equal((await page.pdf()).subarray(0, 4).toString(), '%PDF');
      const save = async (entry) => {
        await page.click('#save');
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#menu button:has-text("${entry}")`)]);
        return readFileSync(await download.path());
      };
      assert.match((await save('.svg')).toString(), /^<svg.*cheshire/s);
      assert.equal((await save('.png')).subarray(1, 4).toString(), 'PNG');
      assert.equal((await save('.pb.gz')).subarray(0, 2).toString('latin1'), '\x1f\x8b');
      assert.match((await save('.collapsed')).toString(), /^\S.*;.* \d+$/m);
    }, {acceptDownloads: true});
  }

  async itIsReadableInBothThemesInEveryView() {
    const folder = process.env.HEARTH_SCREENSHOTS;
    for (const colorScheme of ['light', 'dark']) {
      for (const view of VIEWS) {
        const page = await this.open(`#view=${view}`, {colorScheme});
        if (folder) await page.screenshot({path: join(folder, `real-${view}-${colorScheme}.png`)});
        await page.keyboard.press('p');
        await page.waitForSelector('.label[data-key="thread"] li label');
        assert.deepEqual(await page.evaluate(faintTexts), [], view);
        assert.deepEqual(await page.evaluate(namelessControls), [], view);
        assert.deepEqual(await page.evaluate(cutFigures), [], view);
        if (folder) await page.screenshot({path: join(folder, `real-${view}-${colorScheme}-panel.png`)});
        await page.context().close();
      }
    }
  }

  async theBrowserHasNothingToComplainOf() { assert.deepEqual(troubles, []); }
}

await runCases(PageVisit, process.argv.slice(2));
