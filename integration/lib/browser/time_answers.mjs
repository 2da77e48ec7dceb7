// Opens a page of hearth from disk in headless Chromium and prints, as JSON, the time of each of a reader's requests,
// made for the first time: ms until the result is on the screen, and ms of the longest task meanwhile, during which
// the page does not answer (0: none took 50 ms). Of zooming, the longest time between two frames.
//   node time_answers.mjs PAGE NAME
// NAME: of a frame that is neither rare nor everywhere.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(new URL('../../../tests/html/package.json', import.meta.url));
const {chromium} = require('playwright-core');

const PATIENCE = 300_000;
const [file, name] = process.argv.slice(2);
const transform = (type, what, more = {}) => ({transforms: JSON.stringify([{type, what, ...more}])});

// The words of each in the page's address.
const ASKED = {
  'another lens': {value: 1},
  'a range of time': {time: '10000000000-30000000000'},
  'highlight': {highlights: JSON.stringify([name])},
  'filter': transform('filter', name),
  'remove': transform('remove', name),
  'hide': transform('hide', name),
  'fold': transform('fold', name),
  'replace': transform('replace', name, {replacement: 'zzz'}),
  'replace in all names': transform('replace', '/(\\w)\\d+/', {replacement: '$1'}),
  'collapse recursion': transform('collapse-recursion', ''),
  'merge similar': transform('merge-similar', ''),
  'group by thread': transform('group', 'thread'),
  'filter across frames': transform('filter', `/${name};.*map/`),
  'callers': {view: 'callers'},
  'sandwich': {view: 'sandwich', method: name},
  'tree': {view: 'tree'},
  'top': {view: 'top'},
  'packages': {view: 'packages'},
};

// Runs before any script of the page.
function watch() {
  const {fillRect} = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillRect = function(...box) {
    // The strip of the time line is drawn apart from the result.
    if (this.canvas.closest('#stage')) window.isDrawn = true;
    return fillRect.apply(this, box);
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => window.isDrawn = true).observe(document.getElementById('stage'), {childList: true, subtree: true});
  });
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({type: 'longtask'});
}

/** In the page: from the change of the address to the first frame with the answer. */
async function ask(fragment) {
  const frame = () => new Promise(requestAnimationFrame);
  // The previous result may still be moving.
  do {
    window.isDrawn = false;
    await frame();
    await frame();
  } while (window.isDrawn);
  const began = performance.now();
  location.hash = fragment;
  await new Promise((resolve) => {
    const look = () => window.isDrawn ? setTimeout(resolve) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  });
  const ended = performance.now();
  // The browser reports long tasks a little later.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const meanwhile = window.longTasks.filter(({startTime}) => startTime >= began && startTime < ended);
  return {ms: ended - began, longest: Math.max(0, ...meanwhile.map(({duration}) => duration))};
}

/** In the page: clicks the middle of a row and looks at the frames of the way there. */
async function zoom() {
  const box = document.querySelector('#graph canvas').getBoundingClientRect();
  const target = document.elementFromPoint(box.left + box.width / 2, box.bottom - 90);
  target.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + box.width / 2, clientY: box.bottom - 90}));
  const times = [performance.now()];
  await new Promise((resolve) => {
    const look = () => times.push(performance.now()) && times.at(-1) - times[0] > 400 ? resolve() : requestAnimationFrame(look);
    requestAnimationFrame(look);
  });
  return {ms: Math.max(...times.slice(1).map((time, i) => time - times[i])), frames: times.length};
}

const browser = await chromium.launch({
  executablePath: process.env.HEARTH_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
  const page = await browser.newPage({viewport: {width: 1280, height: 900}});
  page.setDefaultTimeout(PATIENCE);
  await page.addInitScript(watch);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('body[data-state="ready"]');
  // The work after the first picture.
  await page.waitForFunction(() => document.getElementById('legend').children.length > 0);
  const answers = {zoom: await page.evaluate(zoom)};
  await page.evaluate(ask, '');
  for (const [what, fields] of Object.entries(ASKED)) {
    answers[what] = await page.evaluate(ask, new URLSearchParams(fields).toString());
    await page.evaluate(ask, '');
  }
  console.log(JSON.stringify(answers));
} finally {
  await browser.close();
}
