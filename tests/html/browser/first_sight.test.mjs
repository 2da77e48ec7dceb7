// The first sight of a page: the graph's share of the window, and the controls around it.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, addressOf, keepPicture, pointAt, textOf as text} from './browser.mjs';

const {jit, inlined, native, cpp, kernel, marker} = KIND;

const START = [['clone3', native], ['start_thread', native], ['thread_native_entry', cpp], ['Thread::call_run', cpp]];
const RUN = [...START, ['JavaThread::run', cpp], ['java/lang/Thread.run', jit]];
const deep = (from, count) => Array.from({length: count}, (_, i) => [`shop.orders/step-${from + i}`, i % 2 === 0 ? jit : inlined]);
const GET_TASK = [['java/util/concurrent/ThreadPoolExecutor.getTask', jit], ['[parked]', marker]];

const stack = (frames, cpu, wall, thread, endpoint, time = 0) =>
    ({frames, values: [cpu + wall, cpu * 1e6, wall * 1e6], labels: {thread, state: wall > 0 ? 'waiting' : 'running', ...(endpoint && {endpoint})}, time});

const STACKS = [
  stack([...RUN, ...deep(0, 60)], 40, 30, 'pool-1-thread-1', '/buy'),
  stack([...RUN, ...deep(100, 20), ['__send', native], ['tcp_sendmsg', kernel]], 25, 10, 'pool-1-thread-2', '/list', 1),
  stack([...RUN, ...deep(200, 30)], 15, 0, 'pool-2-thread-7', '/buy', 2),
  stack([...START, ['GangWorker::loop', cpp]], 20, 60, 'GC Thread#0', '', 3),
  stack([...RUN, ...GET_TASK], 0, 300, 'pool-1-thread-1', '', 3),
];
const VALUES = [
  {type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds', interval: 1e6, samples: 100}, {type: 'wall', unit: 'nanoseconds', interval: 1e6, samples: 400},
];
const NOTES = ['Inlined methods may be missing: this JVM started without hearth.', 'The host took 1 % of the CPU time.', 'Merged from 3 windows.'];

function profile(header = {}) {
  const columns = columnsOf(STACKS, {
    title: 'cpu, wall flame graph', event: 'cpu, wall', values: VALUES, program: 'com.acme.Shop', pid: '4711', host: 'web-3',
    time: {step_ns: 500e6, count: 4}, duration_ns: 2e9, ...header,
  });
  columns.header.quality = {...columns.header.quality, notes: NOTES};
  return columns;
}

const browser = Browser.forTests();
const address = browser.page('first-sight', profile());
const settled = (page) => page.waitForSelector('#legend li');
const addressWith = async (page, part) => page.waitForFunction((wanted) => decodeURIComponent(location.href).includes(wanted), part);
const hoverText = async (page, row, share) => {
  const {x, y} = await pointAt(page, row, share);
  await page.mouse.move(x, y);
  return text(page, '#tooltip');
};

test('the graph has 85 % of the height of a laptop, and 70 % of a phone', async () => {
  const goals = [[1440, 900, 0.85], [1280, 800, 0.82], [768, 1024, 0.8], [390, 844, 0.7]];
  for (const [width, height, goal] of goals) {
    for (const fragment of ['', '#value=2&idle=0']) {
      await browser.open(address + fragment, async (page) => {
        await settled(page);
        await page.waitForSelector('#toggle-strip:visible');
        assert.ok(await page.isVisible('#crumbs') && await page.isVisible('#note-count'), 'with all that a page can have');
        const share = await page.evaluate(() => document.getElementById('graph').clientHeight / innerHeight);
        assert.ok(share >= goal, `${(100 * share).toFixed(1)} % at ${width}x${height}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        await keepPicture(page, `first-sight-${width}${fragment === '' ? '' : '-wall'}`);
      }, {viewport: {width, height}});
    }
  }
});

test('the title is the program, its process and host are next to it', async () => {
  await browser.open(address, async (page) => {
    assert.equal(await text(page, '#title'), 'com.acme.Shop');
    assert.match(await text(page, '#facts'), /^pid 4711 on web-3 · cpu, wall every 1\.00 ms/);
    assert.equal(await page.title(), 'com.acme.Shop · pid 4711 on web-3 · cpu, wall');
  });
});

test('the trunk is one crumb that opens and folds, and zooming goes on above it', async () => {
  await browser.open(address, async (page) => {
    assert.match(await text(page, '#crumbs'), /^all\s+4 frames\s+100 ms · 100 %$/);
    assert.match(await page.getAttribute('#toggle-trunk', 'title'), /clone3\nstart_thread\nthread_native_entry\nThread::call_run$/);
    assert.match(await hoverText(page, 0, 0.5), /^Thread::call_run/);
    await page.click('#toggle-trunk');
    await page.waitForSelector('#toggle-trunk[aria-expanded="true"]');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'toggle-trunk');
    assert.match(await hoverText(page, 1, 0.5), /^clone3/);
    await page.reload();
    assert.match(await hoverText(page, 0, 0.5), /^all/);
    await page.click('#toggle-trunk');
    await page.waitForSelector('#toggle-trunk[aria-expanded="false"]');
    const {x, y} = await pointAt(page, 1, 0.9);
    await page.mouse.click(x, y);
    await page.waitForSelector('#crumbs button:text-is("all")');
    assert.match(await text(page, '#crumbs'), /^all\s+4 frames\s+JavaThread::run\s/);
  });
});

test('keys and searches do not get lost in the trunk', async () => {
  await browser.open(address, async (page) => {
    const names = [];
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(key);
      names.push(await text(page, '#tooltip .name'));
    }
    assert.deepEqual(names, ['Thread::call_run', 'Thread::call_run', 'JavaThread::run']);
    await page.fill('#search', 'start_thread');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#tooltip .name:text-is("start_thread")');
    assert.ok(await page.isVisible('.box.selected'));
  });
});

test('a map shows what is above, and scrolls', async () => {
  await browser.open(address, async (page) => {
    await page.waitForSelector('#minimap:visible');
    const scrolled = () => page.evaluate(() => {
      const {scrollHeight, clientHeight, scrollTop} = document.getElementById('graph');
      return scrollHeight - clientHeight - scrollTop;
    });
    assert.equal(await scrolled(), 0);
    const map = await page.locator('#minimap').boundingBox();
    const sight = await page.locator('#minimap .sight').boundingBox();
    assert.ok(Math.abs(sight.y + sight.height - map.y - map.height) < 3, 'it begins at the root');
    await page.mouse.click(map.x + 20, sight.y - 20);
    await page.waitForFunction((before) => document.querySelector('#minimap .sight').getBoundingClientRect().y < before, sight.y);
    assert.ok(await scrolled() > 100);
    const moved = await page.locator('#minimap .sight').boundingBox();
    assert.ok(moved.y < sight.y);
    await page.keyboard.press('i');
    await page.waitForFunction(() => document.getElementById('graph').scrollTop === 0);
    const turned = await page.locator('#minimap .sight').boundingBox();
    assert.ok(Math.abs(turned.y - map.y) < 3);
    // A small graph needs no map.
    await page.fill('#search', '');
    await page.evaluate(() => location.hash = `transforms=${encodeURIComponent('[{"type":"fold","what":"java/lang/Thread.run"}]')}`);
    await page.waitForSelector('#minimap', {state: 'hidden'});
  }, {viewport: {width: 1200, height: 600}});
});

test('the legend has six colours, filters, and shows how frames ran when asked', async () => {
  await browser.open(address, async (page) => {
    await settled(page);
    assert.match(await text(page, '#legend'), /^Clojure\s+55\.0 %\s+Java\s+C\+\+\s+20\.0 %\s+Native\s+Kernel\s+25\.0 %\s+Compilation$/);
    await page.click('#ends-kernel');
    await addressWith(page, 'ends=["kernel"]');
    await page.waitForSelector('#ends-kernel[aria-pressed="true"]');
    assert.match(await hoverText(page, 0, 0.5), /^all.*25\.0 ms/s);
    assert.match(await text(page, '#legend'), /Clojure\s+55\.0 %.*Kernel\s+25\.0 %/s, 'the others keep their shares');
    assert.equal(await text(page, '#panel-count'), '1');
    await page.click('#ends-clojure');
    await page.waitForFunction(() => document.querySelector('#crumbs .share').textContent.startsWith('80'));
    await page.keyboard.press('5');
    assert.match(await text(page, '.view-of-table:visible .note'), /^\d+ methods/);
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.waitForSelector('#ends-kernel[aria-pressed="false"]');
    await page.click('#toggle-tiers');
    await page.waitForSelector('#toggle-tiers[aria-pressed="true"]');
    assert.match(await text(page, '#legend'), /Clojure\s+Clojure inlined\s+55\.0 %/);
    assert.match(await hoverText(page, 4, 0.9), /inlined into its caller/);
    await page.reload();
    await settled(page);
    assert.equal(await page.getAttribute('#toggle-tiers', 'aria-pressed'), 'true');
  });
});

test('stacks are grouped beside the values, pools together', async () => {
  await browser.open(address, async (page) => {
    assert.deepEqual(await page.locator('#group-by option').allInnerTexts(), ['Group by…', 'By thread', 'By pool', 'By endpoint', 'By state']);
    const groups = async () => {
      await page.keyboard.press('4');
      await page.waitForSelector('[role="treegrid"]:visible');
      return page.locator('[role="treegrid"] tr[aria-level="2"] .tree-name').allInnerTexts();
    };
    await page.selectOption('#group-by', 'pool');
    await addressWith(page, '"what":"pool"');
    assert.deepEqual((await groups()).sort(), ['[GC Thread#*]', '[pool-1-thread-*]', '[pool-2-thread-*]']);
    await page.selectOption('#group-by', 'endpoint');
    await addressWith(page, '"what":"endpoint"');
    assert.deepEqual((await groups()).sort(), ['[endpoint: /buy]', '[endpoint: /list]', '[no endpoint]']);
    assert.equal((await addressOf(page)).split('"group"').length, 2);
    await page.reload();
    await page.waitForFunction(() => document.getElementById('group-by').value === 'endpoint');
    await page.selectOption('#group-by', '');
    await page.waitForFunction(() => !location.hash.includes('group'));
  });
});

test('wall-clock time comes without idle threads, a chip brings them back', async () => {
  const wall = profile({title: 'wall flame graph', event: 'wall', lens: 0});
  wall.header.values = [VALUES[0], VALUES[2]];
  wall.values = [wall.values[0], wall.values[2]];
  await browser.open(browser.page('wall', wall), async (page) => {
    await page.waitForSelector('#toggle-idle:visible');
    assert.equal(await page.getAttribute('#lenses button:text-is("Wall time")', 'aria-pressed'), 'true');
    assert.equal(await text(page, '#toggle-idle'), 'Idle hidden: 90.0 %');
    assert.match(await text(page, '#crumbs .share'), /^40\.0 ms/);
    await page.click('#toggle-idle');
    await page.waitForSelector('#toggle-idle[aria-pressed="false"]');
    assert.equal(await text(page, '#toggle-idle'), 'Hide idle');
    assert.match(await text(page, '#crumbs .share'), /^400 ms/);
    await page.reload();
    await page.waitForSelector('#toggle-idle[aria-pressed="false"]');
    await page.goBack();
    await page.waitForSelector('#toggle-idle[aria-pressed="true"]');
  });
  await browser.open(address, async (page) => {
    await settled(page);
    assert.ok(!await page.isVisible('#toggle-idle'), 'CPU time has none');
    await page.click('#lenses button:text-is("Wall time")');
    await page.waitForSelector('#toggle-idle:visible');
  });
});
