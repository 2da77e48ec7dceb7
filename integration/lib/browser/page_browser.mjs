// The common part of visits of a page: a browser that reports all its errors, and cases, each of which prints a line of JSON:
// its name, and its error or null.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(new URL('../../../tests/html/package.json', import.meta.url));
const {chromium} = require('playwright-core');

export const PATIENCE = {timeout: 120_000};
export const plain = (text) => text.replaceAll('\u00a0', ' ');

/** The browser's complaints. */
export const troubles = [];

export class Visit {
  /** @param {Object} browser @param {string[]} files  pages; the first one is the one that is meant */
  constructor(browser, files) {
    this.browser = browser;
    this.addresses = files.map((file) => pathToFileURL(file).href);
  }

  async open(fragment = '', options = {}, address = this.addresses[0]) {
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

  /** Opens a page for one case, which it is closed behind. */
  async with(fragment, use, options, address) {
    const {page: before} = this;
    this.page = await this.open(fragment, options, address);
    try {
      await use(this.page);
    } finally {
      await this.page.context().close();
      this.page = before;
    }
  }

  text(selector) { return this.page.locator(selector).innerText().then(plain); }

  until(condition, argument) { return this.page.waitForFunction(condition, argument, PATIENCE); }

  /** Cells of the table's first rows, read in one step: a row that is redrawn meanwhile has a text without its cells. */
  async rows() {
    const rows = await this.page.evaluate(() => {
      const table = [...document.querySelectorAll('.table')].find((one) => one.checkVisibility());
      return [...table?.querySelectorAll('tbody tr:not(.spacer)') ?? []].map((row) => row.innerText);
    });
    return rows.map((row) => plain(row).split('\t').map((cell) => cell.trim()));
  }

  /** The row that has the keyboard, in the view that is shown. */
  activeRow() {
    return this.page.evaluate(() => {
      const [table] = [...document.querySelectorAll('.table table')].filter((one) => one.checkVisibility());
      return document.getElementById(table?.getAttribute('aria-activedescendant'))?.querySelector('.name')?.innerText.trim();
    });
  }

  async drag(from, to) {
    if (!await this.page.isVisible('#timeline')) await this.page.click('#toggle-strip');
    const strip = await this.page.locator('#timeline-canvas').boundingBox();
    await this.page.mouse.move(strip.x + strip.width * from, strip.y + 20);
    await this.page.mouse.down();
    await this.page.mouse.move(strip.x + strip.width * to, strip.y + 20, {steps: 5});
    await this.page.mouse.up();
    await this.until(() => location.hash.includes('time='));
  }
}

/** @param {typeof Visit} Kind  its methods with names of several words are cases, in their order */
export async function runCases(Kind, files) {
  const browser = await chromium.launch({
    executablePath: process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    const visit = new Kind(browser, files);
    for (const name of Object.getOwnPropertyNames(Kind.prototype).filter((method) => /^[a-z]+[A-Z]/.test(method))) {
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
}
