// Reads the page of a real Clojure service as a person would, in headless Chromium. Prints one line of JSON for each case: its
// name, and what was wrong or null. HEARTH_SCREENSHOTS is a folder for pictures of every view in both themes.
//   node page_visit.mjs FILE
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {faintTexts, namelessControls} from '../../tests/html/browser/readable.mjs';

const require = createRequire(new URL('../../tests/html/package.json', import.meta.url));
const {chromium} = require('playwright-core');

const PATIENCE = {timeout: 120_000};
const VIEWS = ['flame', 'callers', 'sandwich', 'tree', 'top', 'packages', 'lines'];
const address = pathToFileURL(process.argv[2]).href;
const plain = (text) => text.replaceAll('\u00a0', ' ');
const troubles = [];

class Visit {
  constructor(browser) { this.browser = browser; }

  async open(fragment = '', options = {}) {
    const context = await this.browser.newContext({viewport: {width: 1280, height: 800}, reducedMotion: 'reduce', ...options});
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE.timeout);
    page.on('pageerror', (error) => troubles.push(`error: ${error.stack}`));
    page.on('console', (message) => troubles.push(`console: ${message.text()}`));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) troubles.push(`request: ${request.url()}`);
    });
    await page.goto(address + fragment);
    await page.waitForSelector('body[data-state="ready"]');
    return page;
  }

  text(selector) { return this.page.locator(selector).innerText().then(plain); }

  until(condition, argument) { return this.page.waitForFunction(condition, argument, PATIENCE); }

  /** Cells of the table's first rows. */
  async rows() {
    const rows = await this.page.locator('.table:visible tbody tr:not(.spacer)').allInnerTexts();
    return rows.map((row) => plain(row).split('\t').map((cell) => cell.trim()));
  }

  async theHeaderTellsWhatItIsAndHowGood() {
    this.page = await this.open();
    assert.match(await this.text('#facts'), /cpu.*wall.*VM/s);
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
    assert.match((await this.rows())[0].join(' '), /^[\d.]+ m?s [\d.]+ %/);
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
    await this.until((cell) => document.querySelector('.table tbody tr:not(.spacer) td')?.textContent.replaceAll('\u00a0', ' ') !== cell, before[0]);
    assert.ok(this.page.url().includes('labels='));
    await this.page.click('.label[data-key="thread"] button:text-is("All again")');
    await this.page.click('.label[data-key="thread"] button:text-is("Group by it")');
    await this.page.click('#view-tree');
    await this.until(() => document.querySelectorAll('[role="treegrid"] tbody tr').length > 3);
    await this.page.click('#transform-0-delete');
  }

  async aTimeIsChosenByDragging() {
    const strip = await this.page.locator('#timeline-canvas').boundingBox();
    await this.page.mouse.move(strip.x + strip.width * 0.3, strip.y + 20);
    await this.page.mouse.down();
    await this.page.mouse.move(strip.x + strip.width * 0.5, strip.y + 20, {steps: 5});
    await this.page.mouse.up();
    await this.until(() => location.hash.includes('time='));
    assert.match(await this.text('#time-text'), /^[\d.]+ m?s to [\d.]+ m?s · [\d.]+ CPUs · [\d.]+ % of all$/);
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
    await this.page.click('#menu button:has-text("Only stacks with it")');
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
    await this.page.keyboard.press('Enter');
    await this.until((next) => document.getElementById('position').textContent === next, `${first % count + 1}/${count}`);
    await this.page.reload();
    await this.page.waitForSelector('#matched:not(:empty)');
    assert.equal(await this.page.inputValue('#search'), 'json|cheshire');
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
        if (folder) await page.screenshot({path: join(folder, `real-${view}-${colorScheme}-panel.png`)});
        await page.context().close();
      }
    }
  }

  async theBrowserHasNothingToComplainOf() { assert.deepEqual(troubles, []); }
}

const browser = await chromium.launch({
  executablePath: process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const visit = new Visit(browser);
  for (const name of Object.getOwnPropertyNames(Visit.prototype).filter((method) => /^[a-z]+[A-Z]/.test(method))) {
    let problem = null;
    try {
      await visit[name]();
    } catch (error) {
      problem = error.message.split('\n').slice(0, 12).join(' ');
    }
    console.log(JSON.stringify({case: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), problem}));
  }
} finally {
  await browser.close();
}
