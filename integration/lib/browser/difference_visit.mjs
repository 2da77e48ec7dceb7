// Reads the page of a difference as a person would to find the slower method. It compares several runs of a real Clojure service before
// and after a change. Prints one line of JSON for each case: its name, and its error or null.
//   node difference_visit.mjs FILE
// HEARTH_SCREENSHOTS is a folder for pictures of every view in both themes.
import assert from 'node:assert/strict';
import {join} from 'node:path';

import {cutFigures, faintTexts, namelessControls} from '../../../tests/html/browser/readable.mjs';

import {plain, runCases, troubles, Visit} from './page_browser.mjs';

const VIEWS = ['flame', 'callers', 'sandwich', 'tree', 'changes', 'packages', 'lines'];
const SLOWER = 'service/found-by-pattern';
const FASTER = 'service/found';

class DifferenceVisit extends Visit {
  names() { return this.page.locator('.table:visible .link').allInnerTexts(); }

  row(name) { return this.page.locator(`.table:visible tbody tr:has(.link:text-is("${name}"))`); }

  async sort(column) {
    await this.page.click(`.table:visible th button:text-is("${column}")`);
    await this.page.waitForSelector(`.table:visible th[aria-sort] button:text-is("${column}")`);
  }

  async theHeaderTellsBothSidesAndTheirRuns() {
    this.page = await this.open();
    assert.match(await this.text('#facts'), /^before.*3 runs combined.*after.*3 runs combined/s);
    await this.page.click('#verdict');
    assert.match(await this.text('#account'), /^before\s+(Good profile|Read with care).*samples in.*after\s+(Good profile|Read with care).*samples in/s);
    assert.match(await this.text('#legend'), /Shrank\s+Within chance\s+Grew\s+New\s+Vanished/);
    assert.match(await this.text('#quality-table'), /^\s*before\s+after\s+Samples recorded/);
    await this.page.keyboard.press('Escape');
  }

  async whatGotSlowerIsInTheChangesByTotal() {
    await this.page.click('#view-changes');
    assert.match(await this.text('.view-of-table:visible .note'), /methods\s+\d[\d,]* changed beyond chance; a share also shrinks when others grow$/);
    await this.sort('Total change');
    const row = this.row(SLOWER);
    await row.waitFor();
    assert.match(plain(await row.innerText()), /new\s*service.*\s0\s.*\+[\d.]+ ± [\d.]+/s);
    assert.equal(await row.locator('.grew').count() > 0, true);
    // It is among the first rows.
    const place = (await this.names()).indexOf(SLOWER);
    assert.ok(place >= 0 && place < 30, `${SLOWER} is number ${place}`);
  }

  async grewShrankNewVanishedAndChanceAreAllThere() {
    const {page} = this;
    for (const look of ['grew', 'shrank', 'noise']) assert.ok(await page.locator(`.table:visible .${look}`).count() > 0, look);
    // The new way and the old one.
    for (const [mark, name] of [['new', SLOWER], ['vanished', FASTER]]) {
      await page.fill('#search', name);
      await page.waitForSelector(`.table:visible tr:has(.link:text-is("${name}")) .mark:text-is("${mark}")`);
    }
    await page.fill('#search', '');
    await page.waitForSelector('#matched:empty', {state: 'attached'});
  }

  async sharesAndAmountsAndSidesKeepTheView() {
    const {page} = this;
    await this.sort('Total change');
    await page.click('#choose-scale button:text-is("Amounts")');
    await this.until(() => [...document.querySelectorAll('th.totalchange')].some((cell) => cell.checkVisibility() && /\(m?s\)/.test(cell.innerText)));
    assert.equal(await page.getAttribute('#view-changes', 'aria-selected'), 'true');
    await page.click('#view-flame');
    for (const side of ['Before', 'After', 'Both']) {
      await page.click(`#choose-width button:text-is("${side}")`);
      await page.waitForSelector(`#choose-width [aria-pressed="true"]:text-is("${side}")`);
      assert.ok(await page.isVisible('#graph canvas'), side);
    }
    await page.click('#choose-scale button:text-is("Shares")');
  }

  async aMethodLeadsToItsCallersAndLines() {
    const {page} = this;
    await page.click('#view-changes');
    await page.fill('#search', 'found-by-pattern');
    await page.waitForSelector('#matched:not(:empty)');
    await this.row(SLOWER).locator('.link').click();
    await page.waitForSelector('.sandwich:visible');
    assert.match(await this.text('.middle'), /^.*service\/found-by-pattern\s.*0 % → [\d.]+ % · \+[\d.]+ ± [\d.]+ points/s);
    await page.click('#view-lines');
    await this.until(() => /line \d+/.test(document.getElementById('stage').innerText));
    await page.goBack();
    await page.goBack();
    await page.fill('#search', '');
  }

  async theTooltipTellsBeforeAfterAndChance() {
    await this.with('#search=found-by-pattern', async (page) => {
      await page.keyboard.press('n');
      const told = await this.text('#tooltip');
      assert.match(told, /service\/found-by-pattern\s+new: not present before.*before\s+after\s+change\s+Total\s+0 %\s+[\d.]+ %\s+\+[\d.]+ ± [\d.]+ points/s);
    });
  }

  async itIsReadableInBothThemesInEveryView() {
    const folder = process.env.HEARTH_SCREENSHOTS;
    for (const colorScheme of ['light', 'dark']) {
      for (const view of VIEWS) {
        await this.with(`#view=${view}`, async (page) => {
          await page.waitForFunction(() => document.getElementById('legend').children.length > 0);
          if (folder) await page.screenshot({path: join(folder, `difference-${view}-${colorScheme}.png`)});
          assert.deepEqual(await page.evaluate(faintTexts), [], view);
          assert.deepEqual(await page.evaluate(namelessControls), [], view);
          assert.deepEqual(await page.evaluate(cutFigures), [], view);
        }, {colorScheme});
      }
    }
  }

  async theBrowserHasNothingToComplainOf() { assert.deepEqual(troubles, []); }
}

await runCases(DifferenceVisit, process.argv.slice(2));
