// The picture itself: zooming, moving and turning it, by mouse, key and finger.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {SMALL} from '../examples.mjs';
import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, CANVAS, click, colourAt, colourCount, keepPicture, pointAt, textOf as text} from './browser.mjs';

const {jit} = KIND;

const browser = Browser.forTests();
const small = browser.page('small', SMALL);

test('a click zooms, Escape, 0, a crumb and Back lead out again', async () => {
  await browser.open(small, async (page) => {
    const zoomIn = async () => {
      await click(page, 2, 0.4);
      await page.waitForSelector('#crumbs:not([hidden])');
      assert.match(await text(page, '#crumbs'), /all\s+main\s+a\.b\/parse\s+60\.0 ms · 60\.0 %/);
    };
    await zoomIn();
    await keepPicture(page, 'zoomed');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#crumbs', {state: 'hidden'});
    await zoomIn();
    await page.keyboard.press('0');
    await page.waitForSelector('#crumbs', {state: 'hidden'});
    await zoomIn();
    await page.click('#crumbs button:text-is("all")');
    await page.waitForSelector('#crumbs', {state: 'hidden'});
    await zoomIn();
    await page.goBack();
    await page.waitForSelector('#crumbs', {state: 'hidden'});
  });
});

test('the crumbs leave and the picture has its height in one go', async () => {
  await browser.open(small, async (page) => {
    const gaps = () => page.evaluate(() => {
      const gap = () => {
        const [graph, canvas] = ['#graph', '#graph canvas'].map((place) => document.querySelector(place).getBoundingClientRect());
        return graph.bottom - canvas.bottom;
      };
      const before = gap();
      document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
      return [before, gap()];
    });
    await click(page, 2, 0.4);
    await page.waitForSelector('#crumbs:not([hidden])');
    const [before, after] = await gaps();
    assert.ok(Math.abs(after - before) < 1, `${after} px, ${before} before`);
    assert.ok(await page.isHidden('#crumbs'));
  });
});

test('an address of another graph changes nothing', async () => {
  await browser.open(small, async (page) => {
    const settled = () => page.waitForSelector('#busy', {state: 'hidden'});
    await page.evaluate(() => location.hash = 'transforms=[{"type":"fold","what":"main"}]');
    await settled();
    await page.goBack();
    await settled();
    await click(page, 3, 0.3, {button: 'right'});
    await page.waitForSelector('#menu:not([hidden])');
    await page.goForward();
    await page.waitForSelector('#menu', {state: 'hidden'});
  });
});

test('the next match outside of the zoomed frame is found while the picture moves', async () => {
  await browser.open(small, async (page) => {
    await click(page, 2, 0.8);
    await page.waitForSelector('#crumbs:not([hidden])');
    await page.fill('#search', 'unknown');
    await page.locator('#search').blur();
    await page.keyboard.press('n');
    await page.waitForSelector('#crumbs', {state: 'hidden'});
    assert.match(await text(page, '#tooltip .name'), /unknown_Java/);
    assert.ok(await page.isVisible('.box.selected'));
  }, {reducedMotion: 'no-preference'});
});

test('a zoomed frame fills the width and its callers stay below it', async () => {
  await browser.open(small, async (page) => {
    await click(page, 2, 0.8);
    await page.waitForSelector('#crumbs:not([hidden])');
    assert.match(await text(page, '#crumbs'), /java\/Writer\.write/);
    const colours = await Promise.all([0.3, 0.98].map(async (share) => colourAt(page, await pointAt(page, 2, share))));
    assert.equal(colours[0], colours[1]);
    await click(page, 1, 0.9);
    await page.waitForFunction(() => !document.getElementById('crumbs').innerText.includes('Writer'));
  });
});

test('callers turns the tree over', async () => {
  await browser.open(small, async (page) => {
    await page.click('#view-callers');
    const token = await pointAt(page, 1, 0.5);
    await page.mouse.move(token.x, token.y);
    assert.match(await text(page, '#tooltip'), /^a\.b\/token.*Total\s+70\.0 ms\s+70\.0 % ± 8\.98 %$/s);
    await keepPicture(page, 'callers');
    await page.mouse.click(token.x, token.y);
    const parse = await pointAt(page, 2, 0.1);
    await page.mouse.move(parse.x, parse.y);
    assert.match(await text(page, '#tooltip'), /^a\.b\/parse.*40\.0 ms\s+40\.0 % ± 9\.60 %\s+57\.1 % ± 11\.6 %/s);
  });
});

test('a profile that asks for it opens reversed or inverted', async () => {
  const header = {...SMALL.header, view: {reverse: true, inverted: true, minwidth: 0}};
  await browser.open(browser.page('reversed', {...SMALL, header}), async (page) => {
    assert.equal(await page.getAttribute('#view-callers', 'aria-selected'), 'true');
    assert.equal(await page.getAttribute('#toggle-icicle', 'aria-pressed'), 'true');
    const box = await page.locator(CANVAS).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 30);
    assert.match(await text(page, '#tooltip'), /^a\.b\/token/);
  });
});

test('another value, and widest first', async () => {
  await browser.open(small, async (page) => {
    await page.click('#lenses button:text-is("Samples")');
    const first = await pointAt(page, 2, 0.05);
    await page.mouse.move(first.x, first.y);
    assert.match(await text(page, '#tooltip'), /^\[unknown_Java\].*10 samples/s);
    await page.keyboard.press('s');
    await page.mouse.move(first.x + 1, first.y);
    assert.match(await text(page, '#tooltip'), /^a\.b\/parse.*60 samples/s);
  });
});

test('arrows move the selected frame and Enter zooms', async () => {
  await browser.open(small, async (page) => {
    const names = [];
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
      await page.keyboard.press(key);
      names.push((await text(page, '#tooltip .name')));
    }
    assert.deepEqual(names, ['all', 'main', 'a.b/parse', 'java/Writer.write', 'main', 'a.b/parse', 'a.b/token']);
    assert.ok(await page.isVisible('.box.selected'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#crumbs:not([hidden])');
    assert.match(await text(page, '#crumbs'), /a\.b\/token/);
  });
});

test('the first tap shows the tooltip, the second zooms', async () => {
  await browser.open(small, async (page) => {
    const {x, y} = await pointAt(page, 2, 0.4);
    await page.touchscreen.tap(x, y);
    await page.waitForSelector('#tooltip:not([hidden])');
    assert.match(await text(page, '#tooltip'), /^a\.b\/parse/);
    assert.ok(!await page.isVisible('#crumbs'));
    await page.touchscreen.tap(x, y);
    await page.waitForSelector('#crumbs:not([hidden])');
    await keepPicture(page, 'touch');
  }, {hasTouch: true, viewport: {width: 390, height: 780}});
});

test('a sharp screen gets a sharp canvas', async () => {
  await browser.open(small, async (page) => {
    const [pixels, width] = await page.evaluate(() => {
      const canvas = document.querySelector('#graph canvas');
      return [canvas.width, canvas.getBoundingClientRect().width];
    });
    assert.equal(pixels, 2 * width);
  }, {deviceScaleFactor: 2});
});

test('a deep stack starts at its root and scrolls to its end', async () => {
  const frames = Array.from({length: 1500}, (_, i) => [`deep.ns/level-${i}`, jit]);
  const columns = columnsOf([{frames, values: [1, 1e6]}]);
  await browser.open(browser.page('deep', columns), async (page) => {
    const bottom = await pointAt(page, 1, 0.5);
    await page.mouse.move(bottom.x, bottom.y);
    assert.match(await text(page, '#tooltip'), /^deep\.ns\/level-0\s/);
    await page.evaluate(() => document.getElementById('graph').scrollTo(0, 0));
    const top = await pointAt(page, 1500, 0.05);
    await page.mouse.move(top.x, top.y);
    assert.match(await text(page, '#tooltip'), /^deep\.ns\/level-1499\s/);
    assert.ok(await colourCount(page) > 3);
    await keepPicture(page, 'deep');
  });
});
