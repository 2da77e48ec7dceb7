// Names of frames, labels and profiles are strangers' words: text wherever they are shown, whatever they look like.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, keepPicture, pointAt} from './browser.mjs';

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
