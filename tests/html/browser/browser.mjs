// A headless Chromium for the page's tests. Every page is opened from disk and watched: a message on the console, an
// error or a request to anywhere fails the test that caused it.

import assert from 'node:assert/strict';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

import {encodePayload, writePage} from '../make_page.mjs';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const ROW_HEIGHT = 20;
export const CANVAS = '#graph canvas';

/** The text that a reader sees in a place, with blanks for no-break spaces. */
export const textOf = (page, selector) => page.locator(selector).innerText().then((words) => words.replaceAll('\u00a0', ' '));

export class Browser {
  constructor() { this.folder = mkdtempSync(join(tmpdir(), 'hearth-page-')); }

  /** @return {Browser} for all tests of a file; its pages can be written at once, and opened by the tests */
  static forTests() {
    const browser = new Browser();
    before(() => browser.start());
    after(() => browser.stop());
    return browser;
  }

  async start() {
    const executablePath = process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium';
    this.chromium = await chromium.launch({executablePath, args: ARGUMENTS});
  }

  async stop() {
    await this.chromium.close();
    rmSync(this.folder, {recursive: true});
  }

  /** @return {string} the address of a page that shows these columns (see make_page.mjs) */
  page(name, columns) { return this.pageOfPayload(name, encodePayload(columns), columns.header.title); }

  pageOfPayload(name, payload, title) {
    const path = join(this.folder, `${name}.html`);
    writePage(payload, path, title);
    return pathToFileURL(path).href;
  }

  /** Opens a page, hands it to `use`, and fails when anything went wrong on the way. */
  async open(address, use, options = {}) {
    const context =
        await this.chromium.newContext({viewport: {width: 1200, height: 800}, reducedMotion: 'reduce', ...options});
    const page = await context.newPage();
    const troubles = [];
    page.on('console', (message) => troubles.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => troubles.push(`error: ${error.stack}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(file|data|blob):/.test(url)) troubles.push(`request: ${url}`);
    });
    try {
      await page.goto(address);
      await page.waitForSelector('body:not([data-state="reading"])');
      await use(page);
      assert.deepEqual(troubles, []);
    } finally {
      await context.close();
    }
  }
}

/**
 * @return {Promise<string>} the page's address, as the page itself has it: page.url() is told of a changed fragment
 *     some time later
 */
export async function addressOf(page) { return decodeURIComponent(await page.evaluate(() => location.href)); }

/** Keeps a picture of the page in the folder HEARTH_SCREENSHOTS, if that is set. */
export async function keepPicture(page, name) {
  const folder = process.env.HEARTH_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, {recursive: true});
  await page.screenshot({path: join(folder, `${name}.png`)});
}

/**
 * @return {Promise<{x: number, y: number}>} a point on the screen, `row` rows from a root at the bottom, `share` of
 *     the width in
 */
export async function pointAt(page, row, share) {
  // A change just made is laid out with the next picture, and may scroll for some pictures more.
  const scrolled = await page.evaluate(async () => {
    const {parentElement: picture} = document.querySelector('#graph canvas');
    const scroller = picture.parentElement;
    const fromBottom = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    const aPicture = () => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
    for (let before = NaN; before !== fromBottom();) {
      before = fromBottom();
      await aPicture();
      await aPicture();
    }
    return fromBottom();
  });
  const box = await page.locator(CANVAS).boundingBox();
  return {x: box.x + box.width * share, y: box.y + box.height + scrolled - (row + 0.5) * ROW_HEIGHT};
}

/** Clicks where pointAt() is. */
export async function click(page, row, share, options) {
  const {x, y} = await pointAt(page, row, share);
  await page.mouse.click(x, y, options);
}

/** @return {Promise<number[]>} the different colours of the canvas in a part of the screen */
async function coloursOf(page, {x, y, width, height}) {
  return page.evaluate((part) => {
    const canvas = document.querySelector('#graph canvas');
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    // Read from a copy: reading the canvas itself would move it to memory, and Chromium would warn on the console.
    const copy = document.createElement('canvas');
    copy.width = Math.round(part.width * ratio);
    copy.height = Math.round(part.height * ratio);
    const context = copy.getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, -Math.round((part.x - box.left) * ratio), -Math.round((part.y - box.top) * ratio));
    return [...new Set(new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer))];
  }, {x, y, width, height});
}

/** @return {Promise<number>} colour of the canvas at a point of the screen */
export async function colourAt(page, {x, y}) { return (await coloursOf(page, {x, y, width: 1, height: 1}))[0]; }

/** @return {Promise<number>} how many different colours the canvas shows */
export async function colourCount(page) {
  return (await coloursOf(page, await page.locator(CANVAS).boundingBox())).length;
}
