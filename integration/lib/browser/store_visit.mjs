// Visits the console of a JVM with an always-on store, as a person would after an incident. The store's windows are short.
//   node store_visit.mjs LAUNCHER PID [FOLDER]
// FOLDER: for a picture in each theme.
import assert from 'node:assert/strict';

import {faintTexts, namelessControls} from '../../../tests/html/browser/readable.mjs';

import {hearth, newLink, PATIENCE, PID, plain, runCases, troubles, Visit, watch} from './console_browser.mjs';

const WINDOWS = 6;
const folder = process.argv[4];
const pointsOf = async () => {
  const headers = {Authorization: `Bearer ${sessionStorage.getItem('hearth-token')}`};
  return (await (await fetch('/api/store/timeline?from=-1h', {headers})).json()).points ?? [];
};

class StoreVisit extends Visit {
  /** The tab that `action` opens, once its page is drawn. */
  async opened(action) {
    const coming = this.page.context().waitForEvent('page', PATIENCE);
    await action();
    const tab = await coming;
    watch(tab, this.base);
    await tab.waitForLoadState('load', PATIENCE);
    if (await tab.locator('#graph').count() === 0) assert.fail(`no page of a profile: ${await tab.innerText('body')}`);
    await tab.waitForSelector('body[data-state="ready"]', PATIENCE);
    return tab;
  }

  /** Drags over parts of the line, 0 its begin and 1 its end. */
  async drag(from, to) {
    const {x, y, width, height} = await this.page.locator('#store-line svg').boundingBox();
    const at = (part) => x + 70 + part * (width - 72);
    await this.page.mouse.move(at(from), y + height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(at(to), y + height / 2, {steps: 5});
    await this.page.mouse.up();
  }

  async theLineGrowsAsWindowsAreWritten() {
    this.page = await this.open(newLink());
    const {page} = this;
    await page.waitForSelector('#always-on:not([hidden])');
    await page.waitForSelector('#store-line .line.cpu');
    assert.match(await this.text('#store-facts'), /^cpu, wall, alloc\s*·?\s*1 s windows/);
    // Stairs: each window is two places of the path.
    await this.until((windows) => document.querySelector('#store-line .line.cpu').getAttribute('d').split('L').length >= 2 * windows, WINDOWS);
    assert.deepEqual((await page.locator('#store-line .lane').allTextContents()), ['CPU', 'Allocation', 'GC pauses']);
    assert.match((await page.locator('#store-line .lane-value').allTextContents()).map(plain).join(), /cores,.*B\/s,.*%/);
    assert.notEqual(await page.inputValue('#store-from'), '');
  }

  async aDragOpensThatTimeAsAFlameGraph() {
    const tab = await this.opened(() => this.drag(0.3, 0.6));
    assert.match(await tab.title(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d to \d\d:\d\d:\d\d$/);
    assert.match(await this.text('#facts', tab), /cpu/);
    await tab.close();
    assert.equal(await this.page.locator('#store-line .side').count(), 1);
  }

  async aSecondOneWithShiftOpensTheDifference() {
    await this.page.keyboard.down('Shift');
    const tab = await this.opened(() => this.drag(0.75, 0.95));
    await this.page.keyboard.up('Shift');
    assert.match(await this.text('#facts', tab), /^before.*after/s);
    await tab.close();
    assert.deepEqual(await this.page.locator('#store-line .word').allTextContents(), ['before', 'after']);
  }

  async withoutAPointerTimesAreWrittenAndCompared() {
    const {page} = this;
    const points = await page.evaluate(pointsOf);
    const field = (milliseconds) => page.evaluate((time) => {
      const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
      // Noughts go: the browser leaves them out as well.
      return local.toISOString().slice(0, 19).replace(/:00$/, '');
    }, milliseconds);
    const write = async (from, to) => {
      await page.fill('#store-from', await field(from));
      await page.fill('#store-to', await field(to));
    };
    const begin = points[0].begin_ms;
    await write(begin, begin + 2000);
    const tab = await this.opened(() => page.press('#store-to', 'Enter'));
    await tab.close();
    await page.click('#store-compare');
    assert.equal(await page.getAttribute('#store-compare', 'aria-pressed'), 'true');
    assert.match(await this.text('#store-hint'), /^Compare .* with: /);
    await write(begin + 3000, begin + 5000);
    const compared = await this.opened(() => page.click('#store-compare'));
    assert.match(await this.text('#facts', compared), /^before.*after/s);
    await compared.close();
    assert.equal(await page.getAttribute('#store-compare', 'aria-pressed'), 'false');
  }

  async arrowsChooseWindowsAndEnterOpensThem() {
    const {page} = this;
    await page.focus('#store-line');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    assert.match(plain(await page.locator('#status').textContent()), /: CPU .* cores, Allocation .*\/s, GC pauses /);
    const [from, to] = [await page.inputValue('#store-from'), await page.inputValue('#store-to')];
    assert.ok(Date.parse(to) - Date.parse(from) >= 2000, `${from} to ${to}`);
    const tab = await this.opened(() => page.keyboard.press('Enter'));
    await tab.close();
  }

  async whatCannotBeSaidIsToldBeside() {
    const {page} = this;
    await page.fill('#store-from', '2026-01-02T10:00');
    await page.fill('#store-to', '2026-01-02T09:00');
    await page.click('#store-open');
    assert.match(await this.text('#store-problem'), /^Enter a start time/);
    await page.fill('#store-to', '2026-01-02T10:05');
    await page.click('#store-open');
    await this.until(() => /it holds/.test(document.getElementById('store-problem').textContent));
  }

  async theTimeShownIsChosen() {
    const {page} = this;
    for (const word of ['Last day', 'All', 'Last hour']) {
      await page.click(`#store-zoom button:has-text("${word}")`);
      assert.deepEqual(await page.locator('#store-zoom [aria-pressed="true"]').allInnerTexts(), [word]);
      await page.waitForSelector('#store-line .line.cpu');
    }
  }

  async itIsReadableInBothThemesAndOnANarrowScreen() {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [1280, 400]) {
        const page = await this.open(newLink(), {colorScheme, viewport: {width, height: 900}});
        await page.waitForSelector('#store-line .line.cpu');
        await page.click('#store-compare');
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        assert.deepEqual(await page.evaluate(faintTexts), []);
        assert.deepEqual(await page.evaluate(namelessControls), []);
        if (folder) await page.locator('#always-on').screenshot({path: `${folder}/store-${colorScheme}-${width}.png`});
        await page.context().close();
      }
    }
  }

  async itGoesWithTheStore() {
    hearth('stop', PID, '--store');
    await this.page.waitForSelector('#always-on', {state: 'hidden', ...PATIENCE});
  }

  async theBrowserHasNothingToComplainOf() { assert.deepEqual(troubles, []); }
}

await runCases(StoreVisit, [
  'theLineGrowsAsWindowsAreWritten',
  'aDragOpensThatTimeAsAFlameGraph',
  'aSecondOneWithShiftOpensTheDifference',
  'withoutAPointerTimesAreWrittenAndCompared',
  'arrowsChooseWindowsAndEnterOpensThem',
  'whatCannotBeSaidIsToldBeside',
  'theTimeShownIsChosen',
  'itIsReadableInBothThemesAndOnANarrowScreen',
  'itGoesWithTheStore',
  'theBrowserHasNothingToComplainOf',
]);
