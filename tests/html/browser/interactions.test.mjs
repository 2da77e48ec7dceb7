// A reader's actions on frames, by mouse, key and finger; and that all results can be read.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {gunzipSync} from 'node:zlib';

import {differenceOf, service} from '../examples.mjs';
import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, CANVAS, addressOf, colourAt, keepPicture, pointAt, textOf as text} from './browser.mjs';
import {faintTexts, namelessControls} from './readable.mjs';

const browser = Browser.forTests();
const address = browser.page('service', service());
const difference = browser.page('difference', differenceOf([['a/hot', 100, 600], ['a/gone', 100, 0], ['a/same', 800, 790]]));

const PARSE = {row: 26, share: 0.4};
const selected = (page) => page.locator('#tooltip .name').innerText();

test('next and previous go round all matches, and zoom to those that are too narrow', async () => {
  await browser.open(address, async (page) => {
    await page.fill('#search', 'clear_page_erms|findSymbol|loopback_xmit');
    await page.waitForSelector('#matched:not(:empty)');
    await page.locator('#search').blur();
    const seen = [];
    const count = async () => Number((await text(page, '#position')).split('/')[1]);
    await page.keyboard.press('n');
    for (let i = await count(); i > 0; i--) {
      seen.push(await selected(page));
      assert.ok(await page.isVisible('.box.selected'));
      await page.keyboard.press('n');
    }
    assert.equal(await selected(page), seen[0]);
    assert.deepEqual([...new Set(seen.map((name) => name.split(/[./]/).at(-1)))].sort(), ['clear_page_erms', 'findSymbol', 'loopback_xmit']);
    await page.keyboard.press('N');
    assert.equal(await selected(page), seen.at(-1));
  });
});

/** @return {Promise<number>} how far the picture is scrolled from the root */
const scrolled = (page) => page.evaluate(() => {
  const scroller = document.getElementById('graph');
  return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
});

test('after Enter n and N go on, and are no text', async () => {
  await browser.open(address, async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('findSymbol|loopback_xmit');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'graph');
    const position = () => text(page, '#position');
    await page.waitForFunction(() => document.getElementById('position').textContent.startsWith('1/'));
    const first = await selected(page);
    await page.keyboard.press('n');
    await page.waitForFunction(() => document.getElementById('position').textContent.startsWith('2/'));
    await page.keyboard.press('N');
    assert.match(await position(), /^1\//);
    assert.equal(await selected(page), first);
    assert.equal(await page.inputValue('#search'), 'findSymbol|loopback_xmit');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
  });
});

test('typing scrolls to the first match, unless one is visible', async () => {
  await browser.open(address, async (page) => {
    assert.equal(await scrolled(page), 0);
    await page.fill('#search', 'start_thread');
    await page.waitForSelector('#matched:not(:empty)');
    assert.equal(await scrolled(page), 0, 'it is in sight');
    await page.fill('#search', '_parseName');
    await page.waitForFunction(() => location.hash.includes('_parseName'));
    const far = await scrolled(page);
    assert.ok(far > 0);
    await keepPicture(page, 'search-scrolled');
    // The same frame as n goes to.
    await page.keyboard.press('Enter');
    await page.waitForSelector('.box.selected:visible');
    assert.equal(await scrolled(page), far);
    assert.equal(await page.inputValue('#search'), '_parseName');
  }, {viewport: {width: 1200, height: 480}});
});

test('highlights have colours of their own, stay while zooming, and a search goes before them', async () => {
  await browser.open(`${address}#panel=1`, async (page) => {
    const at = async (row) => colourAt(page, await pointAt(page, row, 0.7));
    const plain = await Promise.all([18, 21].map(at));
    for (const pattern of ['HandlerWrapper', 'wrap-keyword-params']) {
      await page.fill('#add-highlight', pattern);
      await page.keyboard.press('Enter');
    }
    const marked = await Promise.all([18, 21].map(at));
    assert.equal(new Set([...plain, ...marked]).size, 4);
    assert.equal(await page.locator('.highlight').count(), 2);
    assert.match(await text(page, '.highlight >> nth=0'), /HandlerWrapper\s+\d\d\.\d %/);
    await page.mouse.click(...Object.values(await pointAt(page, 12, 0.4)));
    await page.waitForSelector('#crumbs:not([hidden])');
    assert.equal(await at(18), marked[0]);
    await page.fill('#search', 'HandlerWrapper');
    await page.waitForSelector('#matched:not(:empty)');
    assert.notEqual(await at(18), marked[0]);
    await page.click('.highlight >> nth=0 >> button');
    assert.equal(await page.locator('.highlight').count(), 1);
    await keepPicture(page, 'highlights');
  });
});

test('the menu opens by key and gives the focus back', async () => {
  await browser.open(address, async (page) => {
    await page.keyboard.press('Shift+F10');
    assert.ok(!await page.isVisible('#menu'));
    for (const key of ['ArrowUp', 'ArrowUp', 'Shift+F10']) await page.keyboard.press(key);
    assert.match(await text(page, '#menu'), /Zoom in.*Keep only stacks with this frame.*Copy stack/s);
    await keepPicture(page, 'menu');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    assert.match(await page.evaluate(() => document.activeElement.innerText), /^Zoom in/);
    await page.keyboard.press('Escape');
    assert.ok(!await page.isVisible('#menu'));
    await page.keyboard.press('w');
    await page.waitForSelector('.sandwich:visible');
    assert.match(await text(page, '.middle'), /start_thread/);
    await page.keyboard.press('c');
    await page.keyboard.press('h');
    assert.match(await addressOf(page), /highlights=\["\^start_thread\$"\]/);
  });
});

/** In the page: window.clickedOrNot comes with the click of the finger that leaves, or some frames later: on a slow machine the browser
 * has taken the touch for a long one itself. */
function watchForClick() {
  window.clickedOrNot = new Promise((resolve) => {
    const afterFrames = (frames) => frames === 0 ? resolve() : requestAnimationFrame(() => afterFrames(frames - 1));
    addEventListener('click', () => setTimeout(resolve), {capture: true, once: true});
    for (const end of ['touchend', 'touchcancel', 'pointerup', 'pointercancel'])
      addEventListener(end, () => afterFrames(20), {capture: true, once: true});
  });
}

test('a long touch opens the menu', async () => {
  await browser.open(address, async (page) => {
    const {x, y} = await pointAt(page, 4, 0.5);
    const touch = await page.context().newCDPSession(page);
    await touch.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
    await page.waitForSelector('#menu:not([hidden])');
    await page.evaluate(watchForClick);
    await touch.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    await page.evaluate(() => window.clickedOrNot);
    assert.match(await text(page, '#menu'), /Copy stack/);
    assert.equal((await addressOf(page)).includes('transforms'), false, 'the finger that leaves is no click');
    assert.ok(!await page.isVisible('#crumbs'));
    await keepPicture(page, 'long-touch');
  }, {hasTouch: true, isMobile: true, viewport: {width: 390, height: 780}});
});

test('sources open by a link that the reader gives, and by no other', async () => {
  await browser.open(address, async (page) => {
    const {x, y} = await pointAt(page, PARSE.row, PARSE.share);
    const menu = async () => {
      await page.mouse.click(x, y, {button: 'right'});
      return text(page, '#menu');
    };
    assert.match(await menu(), /Set a source link…/);
    await page.click('#menu button:has-text("Set a source link")');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'source-link');
    await page.fill('#source-link', 'javascript:alert(1)');
    assert.match(await text(page, '#source-hint'), /^Not a link/);
    await page.fill('#source-link', 'vscode://file/src/{file}:{line}');
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      window.open = (...words) => {
        document.title = words.join(' ');
      };
    });
    assert.match(await menu(), /Open source$/m);
    await page.click('#menu button:text-is("Open source")');
    assert.match(await page.title(), /^vscode:\/\/file\/src\/\S+\.(clj|java):1 _blank noopener$/);
  });
});

test('the picture is saved as SVG and as PNG', async () => {
  await browser.open(address, async (page) => {
    const save = async (entry) => {
      await page.click('#save');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#menu button:has-text("${entry}")`)]);
      return {name: download.suggestedFilename(), bytes: readFileSync(await download.path())};
    };
    const svg = await save('.svg');
    assert.equal(svg.name, 'Order service under load.svg');
    const words = svg.bytes.toString();
    assert.ok(words.includes('shop.service/handle-order') && words.includes('Order service under load'));
    assert.doesNotMatch(words, /<script|javascript:/);
    assert.ok(words.match(/<rect /g).length > 100);
    // Whatever browsers draw they have read as XML.
    const width = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
      await image.decode();
      return image.naturalWidth;
    }, words);
    assert.ok(width > 1000, `${width}`);
    const png = await save('.png');
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.bytes.readUInt32BE(16) > 2000, 'twice as wide as the screen');
  }, {acceptDownloads: true});
});

test('the profile is saved as pprof and as text, from any view, as the page shows it', async () => {
  await browser.open(`${address}#view=top`, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const save = async (entry) => {
      await page.click('#save');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#menu button:has-text("${entry}")`)]);
      return {name: download.suggestedFilename(), bytes: readFileSync(await download.path())};
    };
    await page.click('#save');
    assert.equal(await page.locator('#menu button').count(), 3, 'there is no picture');
    await page.keyboard.press('Escape');
    const pprof = await save('.pb.gz');
    assert.equal(pprof.name, 'Order service under load.pb.gz');
    assert.ok(gunzipSync(pprof.bytes).includes('shop.service/handle-order'));
    const whole = (await save('.collapsed')).bytes.toString();
    assert.match(whole, /^start_thread;.*;shop\.service\/handle-order;\S* \d+$/m);
    await page.evaluate(() => location.hash = `view=top&transforms=${encodeURIComponent('[{"type":"filter","what":"tcp_sendmsg"}]')}`);
    await page.waitForSelector('#panel-count:text-is("1")');
    const part = (await save('.collapsed')).bytes.toString().trim().split('\n');
    assert.ok(part.length < whole.split('\n').length && part.every((line) => line.includes('tcp_sendmsg_[k]')));
    await page.click('#save');
    await page.click('#menu button:has-text(".jfr")');
    await page.waitForSelector('#status:text("Command copied")');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'hearth convert service.html service.jfr');
  }, {acceptDownloads: true});
  await browser.open(`${difference}#view=changes`, async (page) => {
    assert.ok(await page.isDisabled('#save'), 'a difference is no profile');
  });
});

test('all text has a contrast of 4.5 in both themes, in every view', async () => {
  const sights = [
    [address, ['flame', 'callers', 'sandwich', 'tree', 'top', 'packages', 'lines']],
    [difference, ['flame', 'changes', 'sandwich']],
  ];
  const transforms = encodeURIComponent(JSON.stringify([{type: 'hide', what: '/(/', enabled: false}]));
  const rest = `panel=1&search=a&highlights=%5B%22clojure%22%5D&transforms=${transforms}`;
  for (const theme of ['light', 'dark']) {
    for (const [page, views] of sights) {
      await browser.open(`${page}#${rest}`, async (opened) => {
        for (const view of views) {
          await opened.click(`#view-${view}`);
          await opened.waitForSelector('#matched:not(:empty)');
          await opened.click(`#view-${view}`, {button: 'right'});
          assert.deepEqual(await opened.evaluate(faintTexts), [], `${view}, ${theme}`);
          assert.deepEqual(await opened.evaluate(namelessControls), [], view);
          await opened.keyboard.press('p');
          await keepPicture(opened, `${page === difference ? 'difference-' : ''}${view}-${theme}`);
          await opened.keyboard.press('p');
        }
      }, {colorScheme: theme});
    }
  }
});

test('paper has the whole table and no controls', async () => {
  const methods = 1_200;
  const leaves = Array.from({length: methods}, (_, i) => ({frames: [['main', KIND.jit], [`a/B.m${i}`, KIND.jit]], values: [1, 1e6]}));
  await browser.open(`${browser.page('long', columnsOf(leaves))}#view=top`, async (page) => {
    const rowsOnScreen = await page.locator('.table tr').count();
    // About 40 rows a page; a page of blank rows would be one more.
    const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g).length;
    assert.ok(pages > 15 && pages < 50, `${pages} pages`);
    assert.equal(await page.locator('.table tr').count(), rowsOnScreen);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({media: 'print'});
    assert.ok(!await page.isVisible('#views') && await page.isVisible('.table table'));
    assert.match(await text(page, '.table'), /201 more rows are not printed/);
  });
});

test('while something takes long the old picture stays, with a sign', async () => {
  await browser.open(address, async (page) => {
    // As slow as a very large profile: every slice ends after its first step.
    await page.evaluate(() => {
      let now = performance.now();
      performance.now = () => now += 100;
    });
    await page.fill('#search', 'parse');
    await page.waitForSelector('#matched:not(:empty)');
    assert.ok(await page.locator(CANVAS).isVisible());
    assert.ok(!await page.isVisible('#busy'));
    assert.equal(await page.getAttribute('#stage', 'aria-busy'), null);
  });
});
