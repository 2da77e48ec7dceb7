// Names of frames, labels and profiles are strangers' words: text wherever they are shown, whatever they look like.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, keepPicture, pointAt, textOf as text} from './browser.mjs';

const NAMES = [
  '</script><script>hacked = 1</script>',
  '<img src=x onerror="hacked = 1">',
  '<!-- <script>',
  ']]><svg onload="hacked = 1">',
  '"onmouseover="hacked = 1"',
  '\u05e9\u05dc\u05d5\u05dd/\u05e2\u05d5\u05dc\u05dd',
  '{{HEARTH_DATA}}${hacked = 1}`&lt;script&gt;',
  '__proto__',
  'constructor',
  'javascript:hacked = 1',
];

const browser = Browser.forTests();
const kinds = [KIND.jit, KIND.native, KIND.thread, KIND.class, KIND.marker];
const stacks = NAMES.map((name, i) => ({frames: [['main', KIND.native], [name, kinds[i % kinds.length]]], values: [10, 10e6]}));
const quality = {samples: 100, lost: 0, failures: {[NAMES[0]]: 1}, without_symbols: {[NAMES[1]]: 2}, notes: NAMES, engine: NAMES[1]};
const address = browser.page('hostile', columnsOf(stacks, {title: NAMES[0], producer: NAMES[1], runtime: NAMES[2], quality}));

const unchanged = (page, elements) => page.evaluate((before) => {
  const now = [...document.querySelectorAll('script, img, svg[onload], iframe, object')].length;
  return window.hacked === undefined && now === before;
}, elements);

test('names that look like markup are text and run nothing', async () => {
  await browser.open(address, async (page) => {
    const elements = await page.evaluate(() => document.querySelectorAll('script, img, svg[onload], iframe, object').length);
    assert.equal(await page.title(), NAMES[0]);
    const seen = new Set();
    for (let i = 0; i < NAMES.length; i++) {
      const {x, y} = await pointAt(page, 2, (i + 0.5) / NAMES.length);
      await page.mouse.move(x, y);
      const tooltip = await page.locator('#tooltip').innerText();
      seen.add(NAMES.find((name) => tooltip.startsWith(name)));
      await page.mouse.click(x, y, {button: 'right'});
      await page.keyboard.press('Escape');
    }
    assert.deepEqual([...seen].sort(), [...NAMES].sort());
    await keepPicture(page, 'hostile');
    for (const name of NAMES) {
      await page.fill('#search', name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      await page.waitForFunction(() => document.getElementById('matched').textContent.includes('%'));
    }
    await page.fill('#search', '');
    await page.evaluate(() => document.activeElement.blur());
    for (const key of ['c', 'i', 's', 't', 'q', '?', 'Escape', 'Escape']) await page.keyboard.press(key);
    assert.ok(await unchanged(page, elements));
  });
});

const rowOf = (name) => ({frames: [['main', KIND.native], [name, KIND.jit]], values: [10, 10e6]});
const pageOf = (name, names) => browser.page(name, columnsOf(names.map(rowOf)));

test('invisible characters of a name are shown by number, and reverse no text', async () => {
  const names = ['\u202egnp.live/a', 'b\u200b/c', 'd\u0000\te'];
  await browser.open(`${pageOf('unseen', names)}#view=top`, async (page) => {
    assert.deepEqual(await page.locator('.link').allInnerTexts(), ['\\u202egnp.live/a', 'b\\u200b/c', 'd\\u0000\\u0009e', 'main']);
  });
});

test('a name of 100,000 characters stays where it belongs', async () => {
  await browser.open(pageOf('long', ['x'.repeat(100_000), 'y/z']), async (page) => {
    const {x, y} = await pointAt(page, 2, 0.3);
    const inWindow = async (selector) => {
      const box = await page.locator(selector).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1200 && box.y + box.height <= 800, `${selector} ${JSON.stringify(box)}`);
    };
    await page.mouse.move(x, y);
    await inWindow('#tooltip');
    await page.mouse.click(x, y);
    await page.waitForSelector('#crumbs:not([hidden])');
    for (const part of ['#crumbs li.here', '#crumbs .share']) await inWindow(part);
    const [here, share] = await Promise.all(['#crumbs li.here', '#crumbs .share'].map((part) => page.locator(part).boundingBox()));
    assert.ok(here.x + here.width <= share.x);
    for (const view of ['sandwich', 'tree', 'top', 'lines']) {
      await page.click(`#view-${view}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1200, view);
    }
  });
});

const ENDLESS = '(a+)+$';

test('an expression that would never end is refused, wherever it comes from, and the page goes on', async () => {
  const transforms = [['filter', `/${ENDLESS}/`], ['hide', '/(a|aa)+$/'], ['replace', '/(?:a+;?)+$/']].map(([type, what]) => ({type, what}));
  const fragment = new URLSearchParams({search: ENDLESS, highlights: JSON.stringify([ENDLESS]), transforms: JSON.stringify(transforms), panel: 1});
  await browser.open(`${pageOf('endless', [`${'a'.repeat(60)}!`, 'b/c'])}#${fragment}`, async (page) => {
    await page.waitForSelector('body[data-state="ready"]');
    assert.equal(await text(page, '#matched'), 'too slow');
    assert.match(await text(page, '#search-problem'), /^Too slow on these names/);
    const problems = await page.locator('.transform .problem').allInnerTexts();
    assert.equal(problems.filter((problem) => /is too slow for this profile and is skipped/.test(problem)).length, 3);
    await page.fill('#search', 'b.+c');
    await page.waitForSelector('#matched:text("50.0")');
  });
});

test('the page opens with any fragment', async () => {
  const labelled = columnsOf([{...rowOf('a/b'), labels: {thread: 'one'}}]);
  const labelledPage = browser.page('labelled', labelled);
  const fragments = [
    '%E0%A4%A', 'search=%', 'search=(', 'view=__proto__', 'view=constructor', 'value=__proto__', 'value=-1', 'sort=constructor&view=top', 'zoom=-1.5',
    'zoom=99999999999-2', 'method=__proto__&view=sandwich', 'method=constructor&view=lines', 'time=5-1', 'time=1e300-1e301', 'highlights=[1,{}]',
    'transforms=[{"type":"__proto__"}]', 'transforms=[null]', 'transforms=[{"type":"group","what":"__proto__"}]', 'labels={"thread":[{}]}',
    'labels={"__proto__":["one"]}', 'labels={"constructor":["one"]}', 'scale=amounts&width=before',
  ];
  for (const fragment of fragments) {
    await browser.open(`${labelledPage}#${fragment}`, async (page) => {
      assert.equal(await page.getAttribute('body', 'data-state'), 'ready', fragment);
    });
  }
});
