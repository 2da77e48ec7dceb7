// Visits the console of a JVM that works, as a person would, in headless Chromium. Prints one line of JSON for each case: its
// name, and its error or null.
//   node console_visit.mjs LAUNCHER PID HOME
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {faintTexts, namelessControls} from '../../../tests/html/browser/readable.mjs';

import {hearth, newLink, PATIENCE, PID as pid, plain, runCases, troubles, Visit, watch} from './console_browser.mjs';

const [, , , , home] = process.argv;
const HOSTILE = '</script><img src=x onerror="hacked=1"><b>&amp;';

class ConsoleVisit extends Visit {
  async aPageWithoutALinkAsksForTheToken() {
    const page = await this.open(this.base);
    await page.waitForSelector('#login:not([hidden])');
    assert.match(await this.text('#login', page), /hearth http PID prints a link/);
    await page.fill('#token', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#login-problem:not([hidden])');
    assert.match(await this.text('#login-problem', page), /^The token is wrong: /);
    await page.context().close();
  }

  async theLinkLetsInOnceAndLeavesTheAddressBar() {
    const link = newLink();
    this.page = await this.open(link);
    await this.page.waitForSelector('#starting:not([hidden])');
    assert.equal(this.page.url(), this.base);
    await this.until(() => document.getElementById('facts').textContent !== '');
    assert.match(await this.text('header'), new RegExp(`Busy\\s+pid ${pid}.*VM.*up \\d`, 's'));
    await this.page.reload();
    await this.page.waitForSelector('#starting:not([hidden])');
    const other = await this.open(link);
    await other.waitForSelector('#login-problem:not([hidden])');
    assert.match(await this.text('#login-problem', other), /used already/);
    await other.context().close();
  }

  async theFormHasEveryOptionOfTheAgentAndTellsARefusalAtItsField() {
    const {page} = this;
    const names = await page.evaluate(async () => {
      const headers = {Authorization: `Bearer ${sessionStorage.getItem('hearth-token')}`};
      return (await (await fetch('/api/options', {headers})).json()).options.map(({name}) => name);
    });
    for (const name of names) assert.equal(await page.locator(`[data-option="${name}"]`).count(), 1, name);
    assert.ok(names.length > 30, names.join());
    await page.click('.more summary');
    await page.fill('#option-jstackdepth', '-3');
    await page.click('.more summary');
    await page.click('#begin');
    await page.waitForSelector('#option-jstackdepth-problem:visible');
    assert.match(await this.text('#option-jstackdepth-problem'), /cannot use "-3"; accepted: 1 to 8192/i);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'option-jstackdepth');
    await page.fill('#option-jstackdepth', '');
    assert.equal(await page.locator('#options .problem:visible').count(), 0);
    await page.uncheck('#option-event');
    await page.click('#begin');
    assert.equal(await this.text('#option-event-problem'), 'Choose what to measure.');
    await page.check('#option-event');
  }

  async theFormStartsAsItIs() {
    const {page} = this;
    const engines = await page.locator('#option-event-value option').evaluateAll((all) => all.map(({value}) => value));
    assert.deepEqual(engines, ['cpu', 'cpu-clock', 'ctimer', 'itimer']);
    const labels = await page.locator('.measure:has(#option-event) .label').allInnerTexts();
    assert.deepEqual(labels, ['every']);
    await page.click('#begin');
    await page.waitForSelector('#session:not([hidden])');
    assert.equal(await this.text('#session-title'), 'Profiling cpu');
    await page.click('#cancel');
    await page.waitForSelector('#starting:not([hidden])');
  }

  async aSessionOfCpuAndAllocationsGrowsWhileOneLooksOn() {
    const {page} = this;
    await page.fill('#option-title', HOSTILE);
    await page.fill('#option-interval', '1ms');
    await page.fill('#option-alloc-value', '64k');
    await page.check('#option-threads');
    await page.click('#begin');
    await page.waitForSelector('#session:not([hidden])');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'stop');
    await this.until(() => document.getElementById('legend').textContent.includes('Java'));
    assert.equal(await this.text('#session-title'), 'Profiling cpu, alloc');
    // The first picture may come before the first sample of an allocation.
    await this.until(() => document.getElementById('lenses').textContent.includes('Bytes'));
    assert.deepEqual(await page.locator('#lenses button').allInnerTexts(), ['CPU time', 'Objects', 'Bytes']);
    const {x, y, width, height} = await page.locator('#graph canvas').boundingBox();
    await page.mouse.click(x + width / 2, y + height - 30);
    await page.fill('#search', 'allocate');
    await this.until(() => document.getElementById('matched').textContent !== '');
    const zoomed = async () => (await page.locator('#crumbs .here').innerText());
    const before = {frame: await zoomed(), share: await this.text('#crumbs .share')};
    assert.match(before.frame, /tid=\d+/);
    await this.until((share) => document.querySelector('#crumbs .share').textContent.replaceAll('\u00a0', ' ') !== share, before.share);
    assert.equal(await zoomed(), before.frame);
    assert.equal(await page.inputValue('#search'), 'allocate');
    await page.click('#pause');
    assert.equal(await this.text('#pace'), 'paused');
    const samples = await this.text('#figures .figure:nth-child(2) dd');
    await this.until((old) => document.querySelector('#figures .figure:nth-child(2) dd').textContent !== old, samples);
  }

  async stopStoresTheProfileAndItsNameStaysText() {
    const {page} = this;
    await page.click('#stop');
    await page.waitForSelector('#rows tr.fresh');
    assert.equal(await page.locator('#rows tr.fresh .name button').innerText(), HOSTILE);
    assert.match(plain(await page.locator('#rows tr.fresh').innerText()), /cpu, alloc.*\d s.*kB.*(good|incomplete stacks)/s);
    assert.equal(await page.evaluate(() => document.querySelector('img, b') ?? globalThis.hacked ?? 'text'), 'text');
    await page.waitForSelector('#starting:not([hidden])');
  }

  async aStoredProfileOpensInATabOfItsOwn() {
    const opened = this.page.context().waitForEvent('page', PATIENCE);
    await this.page.click('#rows .open');
    const tab = await opened;
    watch(tab, this.base);
    await tab.waitForSelector('body[data-state="ready"]', PATIENCE);
    assert.match(tab.url(), /\/open\/[0-9a-f]+$/);
    assert.equal(await tab.title(), HOSTILE);
    await tab.close();
  }

  async itDownloadsInEveryFormat() {
    const {page} = this;
    const beginnings = {'pprof': /^\x1f\x8b/, 'Collapsed': /^\[.*tid=\d+\];.* \d+$/m, 'Flame graph': /^<!doctype html>/, 'JSON': /^\{"duration_ns":/};
    for (const [format, beginning] of Object.entries(beginnings)) {
      await page.click('#rows .download');
      const download = page.waitForEvent('download', PATIENCE);
      await page.click(`#menu button:has-text("${format}")`);
      const file = await download;
      assert.match(file.suggestedFilename(), /^script-img-src-x-onerror-hacked-1-b-amp-\d{8}-.*\.(pb\.gz|collapsed|html|json)$/);
      assert.match(readFileSync(await file.path(), 'latin1'), beginning);
    }
    await page.click('#rows .download');
    await page.keyboard.press('Escape');
    assert.match(await page.evaluate(() => document.activeElement.className), /download/);
  }

  async aSessionThatBeganElsewhereAppearsAndASecondStartIsRefused() {
    const {page} = this;
    const late = await this.open(newLink());
    await late.waitForSelector('#begin');
    // It does not see changes made elsewhere.
    await late.route('**/api/status', () => {});
    hearth('start', '-i', '2ms', pid);
    await this.until(() => document.getElementById('session-title').textContent === 'Profiling cpu');
    await late.click('#begin');
    await late.waitForSelector('#start-problem:not([hidden])');
    assert.match(await this.text('#start-problem', late), /^A session is already running \(cpu, .*\)\. Stop it first\.$/);
    await late.context().close();
    await this.until(() => parseInt(document.querySelector('#figures .figure:nth-child(2) dd').textContent.replaceAll(',', ''), 10) > 100);
    const rows = await page.locator('#rows tr').count();
    await page.click('#dump');
    await this.until((count) => document.querySelectorAll('#rows tr').length === count + 1, rows);
    await page.click('#cancel');
    await page.waitForSelector('#starting:not([hidden])');
    assert.equal(await page.locator('#rows tr').count(), rows + 1);
    hearth('start', pid);
    await page.waitForSelector('#session:not([hidden])');
    hearth('stop', pid);
    await page.waitForSelector('#starting:not([hidden])');
  }

  async profilesAreFilteredSortedAndCompared() {
    const {page} = this;
    await page.fill('#filter', 'cpu profile');
    assert.equal(await page.locator('#rows tr').count(), 1);
    await page.fill('#filter', '');
    await page.click('[data-column="event"] button');
    assert.equal(await page.getAttribute('[data-column="event"]', 'aria-sort'), 'ascending');
    assert.deepEqual(await page.locator('#rows .event').allInnerTexts(), ['cpu', 'cpu, alloc']);
    for (const box of await page.locator('#rows .pick input').all()) await box.check();
    assert.match(await this.text('#compare'), /^before\s+<\/script>.*\s+after\s+cpu profile\s+Swap\s+Compare$/);
    await page.click('#compare button:has-text("Swap")');
    assert.match(await this.text('#compare'), /^before\s+cpu profile\s+after\s+<\/script>/);
    const opened = page.context().waitForEvent('page', PATIENCE);
    await page.click('#compare-now');
    const tab = await opened;
    watch(tab, this.base);
    await tab.waitForSelector('body[data-state="ready"]', PATIENCE);
    assert.match(await this.text('#facts', tab), /^before.*after/s);
    await tab.close();
  }

  async runsOfAReplAreListedAndOtherProgramsAreHiddenUntilAsked() {
    const {page} = this;
    const run = 'results/20260314_150926-07-wall-profile.pb.gz';
    mkdirSync(join(home, 'results'), {mode: 0o700});
    hearth('-d', '1', '-f', join(home, run), pid);
    writeFileSync(join(home, 'other.collapsed'), 'a;b 3\n');
    hearth('convert', join(home, 'other.collapsed'), join(home, 'profiles/20260101-000000-99-1-0123abcd.pb.gz'));
    await this.until(() => document.querySelectorAll('#rows tr').length === 3);
    assert.match(await this.text('#rows tr:has-text("Run 7: wall") .program'), new RegExp(`Busy · ${pid}$`));
    for (const program of await page.locator('#rows .program').allInnerTexts()) assert.match(plain(program), new RegExp(`Busy · ${pid}$`));
    assert.equal(await this.text('#others'), 'Other programs (1)');
    await page.click('#others');
    await this.until(() => document.querySelectorAll('#rows tr').length === 4);
    assert.match((await page.locator('#rows .program').allInnerTexts()).join(), /pid 99/);
    if (process.env.HEARTH_SCREENSHOTS) await page.locator('#stored').screenshot({path: join(process.env.HEARTH_SCREENSHOTS, 'console-programs.png')});
    await page.click('#others');
    await this.until(() => document.querySelectorAll('#rows tr').length === 3);
    rmSync(join(home, run));
    rmSync(join(home, run.replace('.pb.gz', '.json')));
    await this.until(() => document.querySelectorAll('#rows tr').length === 2);
  }

  async aProfileIsDeletedWhenOneSaysSoTwice() {
    const {page} = this;
    await page.click('#rows tr:has-text("cpu profile") .delete');
    assert.match(await this.text('#question'), /^Delete “cpu profile”\?/);
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#ask').isVisible(), false);
    assert.equal(await page.locator('#rows tr').count(), 2);
    await page.click('#rows tr:has-text("cpu profile") .delete');
    await page.click('#confirm');
    await this.until(() => document.querySelectorAll('#rows tr').length === 1);
  }

  async nothingForeignGetsIn() {
    const page = await this.open(this.base);
    const seen = await page.evaluate(async () => {
      const violations = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const fetched = await fetch('http://127.0.0.1:1/').then(() => 'fetched', () => 'blocked');
      const picture = new Image();
      await new Promise((resolve) => {
        picture.onerror = picture.onload = resolve;
        picture.src = 'http://127.0.0.1:1/x.png';
      });
      let markup = 'made';
      try {
        document.body.innerHTML = '<p>';
      } catch (error) {
        markup = error.name;
      }
      const framed = document.createElement('iframe');
      framed.src = location.href;
      document.body.append(framed);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return {fetched, markup, violations: [...new Set(violations)].sort()};
    });
    assert.deepEqual(seen, {
      fetched: 'blocked',
      markup: 'TypeError',
      violations: ['connect-src', 'frame-src', 'img-src', 'require-trusted-types-for']
    });
    troubles.length = 0;  // those were wanted
    await page.context().close();
  }

  async itIsReadableInBothThemesAndOnANarrowScreen() {
    for (const colorScheme of ['light', 'dark']) {
      const page = await this.open(newLink(), {colorScheme, viewport: {width: 400, height: 900}});
      await page.waitForSelector('#rows tr');
      await page.click('.more summary');
      await page.check('#rows .pick input');
      await page.uncheck('#option-event');
      await page.click('#begin');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
      assert.deepEqual(await page.evaluate(faintTexts), []);
      assert.deepEqual(await page.evaluate(namelessControls), []);
      await page.context().close();
    }
  }

  async aLostServerAndANewTokenAreToldInOneSentence() {
    const {page} = this;
    const port = new URL(this.base).port;
    hearth('stop-http', pid);
    await page.waitForSelector('#trouble:not([hidden])');
    assert.match(await this.text('#trouble'), /^No answer: the JVM has ended/);
    newLink('--port', port);
    await page.waitForSelector('#login:not([hidden])');
    assert.match(await this.text('#login-problem'), /^The token is no longer valid: /);
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    const link = newLink();
    await page.evaluate((fragment) => { location.hash = fragment; }, new URL(link).hash);
    await page.waitForSelector('#rows tr');
    assert.equal(page.url(), this.base);
  }

  async theBrowserHasNothingToComplainOf() { assert.deepEqual(troubles, []); }
}

const CASES = [
  'aPageWithoutALinkAsksForTheToken',
  'theLinkLetsInOnceAndLeavesTheAddressBar',
  'theFormStartsAsItIs',
  'theFormHasEveryOptionOfTheAgentAndTellsARefusalAtItsField',
  'aSessionOfCpuAndAllocationsGrowsWhileOneLooksOn',
  'stopStoresTheProfileAndItsNameStaysText',
  'aStoredProfileOpensInATabOfItsOwn',
  'itDownloadsInEveryFormat',
  'aSessionThatBeganElsewhereAppearsAndASecondStartIsRefused',
  'profilesAreFilteredSortedAndCompared',
  'runsOfAReplAreListedAndOtherProgramsAreHiddenUntilAsked',
  'aProfileIsDeletedWhenOneSaysSoTwice',
  'itIsReadableInBothThemesAndOnANarrowScreen',
  'aLostServerAndANewTokenAreToldInOneSentence',
  'theBrowserHasNothingToComplainOf',
  'nothingForeignGetsIn',
];

await runCases(ConsoleVisit, CASES);
