// The common part of visits of the console: a browser that reports all its errors, links that let in, and cases, each of which
// prints a line of JSON: its name, and its error or null.
//   node SOME_visit.mjs LAUNCHER PID
import {execFileSync} from 'node:child_process';
import {createRequire} from 'node:module';

const require = createRequire(new URL('../../../tests/html/package.json', import.meta.url));
const {chromium} = require('playwright-core');

export const PATIENCE = {timeout: 120_000};
const [launcher, pid] = process.argv.slice(2);
export const PID = pid;

export const hearth = (...words) => execFileSync(launcher, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
export const newLink = (...words) => /^Open: (\S+)$/m.exec(hearth('http', ...words, pid))[1];
export const plain = (text) => text.replaceAll('\u00a0', ' ');

/** The browser's complaints. */
export const troubles = [];

export function watch(page, base) {
  page.on('pageerror', (error) => troubles.push(`error: ${error.stack}`));
  page.on('console', (message) => {
    // The browser logs the server's refusals as well; the page shows them to the reader.
    if (!message.text().startsWith('Failed to load resource')) troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) troubles.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => troubles.push(`alert: ${dialog.message()}`));
}

export class Visit {
  constructor(browser) {
    this.browser = browser;
    this.base = newLink().split('#')[0];
  }

  async open(address, options = {}) {
    const context = await this.browser.newContext({viewport: {width: 1280, height: 1000}, reducedMotion: 'reduce', ...options});
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE.timeout);
    watch(page, this.base);
    await page.goto(address);
    return page;
  }

  text(selector, page = this.page) { return page.locator(selector).innerText().then(plain); }

  until(condition, argument, page = this.page) { return page.waitForFunction(condition, argument, PATIENCE); }
}

/** @param {typeof Visit} Kind @param {string[]} cases  names of its methods, in their order */
export async function runCases(Kind, cases) {
  const browser = await chromium.launch({
    executablePath: process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    const visit = new Kind(browser);
    for (const name of cases) {
      const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      let problem = null;
      try {
        await visit[name]();
      } catch (error) {
        problem = error.message.split('\n').slice(0, 12).join(' ');
      }
      console.log(JSON.stringify({case: words, problem}));
    }
  } finally {
    await browser.close();
  }
}
