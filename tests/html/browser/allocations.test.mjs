import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, keepPicture, pointAt, textOf as text} from './browser.mjs';


const INTERVAL = 512 << 10;
const VALUES = [
  {type: 'alloc_objects', unit: 'count', deviations: true},
  {type: 'alloc_space', unit: 'bytes', interval: INTERVAL, deviations: true},
  {type: 'inuse_objects', unit: 'count'},
  {type: 'inuse_space', unit: 'bytes', interval: INTERVAL},
];

function profile(quality) {
  // Rows from the root: all, main, then decode (75 % of the bytes) and slurp (25 %), each below its class.
  const stacks = [
    {frames: [['main', KIND.native], ['a.b/decode', KIND.jit], ['byte[]', KIND.class]], values: [1000, 300e6, 10, 3e6, 36, 125e5]},
    {frames: [['main', KIND.native], ['a.b/slurp', KIND.jit], ['char[]', KIND.class]], values: [9000, 100e6, 0, 0, 648, 72e5]},
  ];
  const columns = columnsOf(stacks, {event: 'alloc, live', values: VALUES, lens: 1, interval: INTERVAL});
  columns.header.quality = {...columns.header.quality, ...quality};
  return columns;
}

const browser = Browser.forTests();

const COUNTED = {
  allocated_bytes: 404e6,
  sampled_bytes: 400e6,
  gc_pauses: 1,
  gc_pause_ns: 5e6,
  gc_cpu_ns: 10e6,
  process_cpu_ns: 1e9,
};

test("the JVM's own counts are a click away", async () => {
  await browser.open(browser.page('counted', profile(COUNTED)), async (page) => {
    assert.match(await text(page, '#facts'), /^alloc, live every 512 KiB/);
    await page.click('#quality summary');
    const figures = await text(page, '#account');
    assert.match(figures, /404 MB · 40\.4 MB\/s allocated\s+1 GC pause · 5\.00 ms/);
    const account = await text(page, '#quality-table');
    assert.match(account, /covered by samples\s+99\.0 %\s+Garbage collection\s+1 GC pause · 5\.00 ms/);
    assert.match(account, /GC CPU time\s+10\.0 ms · 1\.00 %/);
    await keepPicture(page, 'allocations');
  });
});

test('with a window there is no count to show', async () => {
  await browser.open(browser.page('window', profile({...COUNTED, allocated_bytes: 0})), async (page) => {
    await page.click('#quality summary');
    const figures = await text(page, '#account');
    assert.doesNotMatch(figures, /allocated/);
    assert.match(figures, /1 GC pause/);
  });
});

test('bytes and objects, made and living, are a switch apart, shares with their bounds', async () => {
  await browser.open(browser.page('lenses', profile(COUNTED)), async (page) => {
    assert.deepEqual(
        await page.locator('#lenses button').allInnerTexts(), ['Objects', 'Bytes', 'Live objects', 'Live bytes']);
    const describe = async (share) => {
      const {x, y} = await pointAt(page, 2, share);
      await page.mouse.move(x, y);
      return text(page, '#tooltip');
    };
    assert.match(await describe(0.4), /^a\.b\/decode.*Total\s+300 MB\s+75\.0 % ± [1-9]\.\d+ %\s+Self\s+0 B\s+0 %$/s);
    await page.click('#lenses button:text-is("Objects")');
    assert.match(await describe(0.6), /^a\.b\/slurp.*Total\s+9,000 objects\s+90\.0 % ± \d/s);
    await page.click('#lenses button:text-is("Live bytes")');
    assert.match(await describe(0.6), /^a\.b\/decode.*Total\s+3\.00 MB\s+100 %\s/s);
  });
});
