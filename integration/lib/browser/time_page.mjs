// Opens a profile's page from disk in headless Chromium, twice, and prints the figures of the second opening, as JSON:
// ms to the first picture, ms of one search, MB of the page's heap with its buffers.
//   node time_page.mjs KIND PAGE [PROFILE]
// KIND: hearth, async-profiler, clj-async-profiler, or speedscope, which is given its profile when it is open.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(new URL('../../../tests/html/package.json', import.meta.url));
const {chromium} = require('playwright-core');

const PATIENCE = 300_000;
const PATTERN = 'Tax[0-9]*7';

// Each runs in the page. `isDrawn` after each frame, until it is true; `search` returns when the matches are shown.
const PAGES = {
  'hearth': {
    isDrawn: () => document.body?.dataset.state === 'ready' && [...document.querySelectorAll('canvas')].some((canvas) => canvas.width > 300),
    search: async (pattern) => {
      const matched = document.getElementById('matched');
      const shown = new Promise((resolve) => new MutationObserver(() => matched.textContent.includes('%') && resolve())
                                                .observe(matched, {childList: true, characterData: true, subtree: true}));
      const field = document.getElementById('search');
      field.value = pattern;
      field.dispatchEvent(new Event('input', {bubbles: true}));
      await shown;
    },
  },
  'async-profiler': {
    isDrawn: () => document.readyState === 'complete' && document.querySelector('canvas')?.width > 300,
    search: (pattern) => window.search(pattern),
  },
  'clj-async-profiler': {
    isDrawn: () => document.readyState === 'complete' && document.querySelector('canvas')?.height > 150,
  },
  'speedscope': {
    isDrawn: () => / - speedscope$/.test(document.title) && document.querySelector('canvas')?.width > 300,
  },
};

// Started before any script of the page: the time of the first frame after the picture.
function watchForPicture(isDrawn) {
  const look = () => {
    if (isDrawn()) requestAnimationFrame(() => setTimeout(() => window.firstPicture = performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const {usedSize, backingStorageSize = 0} = await session.send('Runtime.getHeapUsage');
  return (usedSize + backingStorageSize) / 1e6;
}

async function measure(browser, [kind, file, profile]) {
  const {isDrawn, search} = PAGES[kind];
  const page = await browser.newPage({viewport: {width: 1280, height: 900}});
  page.setDefaultTimeout(PATIENCE);
  await page.addInitScript(`(${watchForPicture})(${isDrawn})`);
  await page.goto(pathToFileURL(file).href, {waitUntil: 'commit', timeout: PATIENCE});
  let began = 0;
  if (profile) {
    await page.waitForLoadState();
    began = await page.evaluate(() => performance.now());
    await page.setInputFiles('input[type=file]', profile);
  }
  await page.waitForFunction(() => window.firstPicture);
  const seen = {open_ms: await page.evaluate((start) => window.firstPicture - start, began), heap_mb: await heapOf(page)};
  if (search) {
    seen.search_ms = await page.evaluate(`(async () => {
      const begin = performance.now();
      await (${search})(${JSON.stringify(PATTERN)});
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - begin;
    })()`);
  }
  await page.close();
  return seen;
}

const browser = await chromium.launch({
  executablePath: process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--allow-file-access-from-files'],
});
try {
  await measure(browser, process.argv.slice(2));
  console.log(JSON.stringify(await measure(browser, process.argv.slice(2))));
} finally {
  await browser.close();
}
