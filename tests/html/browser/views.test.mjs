// Every view of a profile that has threads, times and lines.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnsOf, KIND} from '../make_page.mjs';

import {Browser, CANVAS, addressOf, keepPicture, pointAt, textOf as text} from './browser.mjs';

const {jit, native} = KIND;

// handle is a.b/handle; parse calls itself; worker-1 works in the first half of two seconds, worker-2 in the second.
const HANDLE = ['a.b/handle', jit, 10];
const PARSE = ['a.b/parse', jit, 20];
const WRITE = ['java/io/Writer.write', jit, 7];
const stack = (frames, samples, thread, time) =>
    ({frames: [['main', native, 0], ...frames], values: [samples, samples * 1e6], labels: {thread}, time});
const STACKS = [
  stack([HANDLE, PARSE, ['a.b/parse', jit, 21]], 30, 'worker-1', 0),
  stack([HANDLE, PARSE], 10, 'worker-1', 1),
  stack([HANDLE, PARSE, ['a.b/parse', jit, 22]], 20, 'worker-2', 2),
  stack([HANDLE, WRITE], 25, 'worker-2', 3),
  stack([['fn--12', jit, 3]], 10, 'worker-2', 3),
  stack([['fn--99', jit, 3]], 5, 'worker-2', 3),
];

const browser = Browser.forTests();
const address = browser.page('views', columnsOf(STACKS, {time: {step_ns: 500e6, count: 4}, duration_ns: 2e9}));

/** The cells of each row in view, without the bounds. */
const rowsOf = (page) => page.locator('.table:visible tbody tr:not(.spacer)').allInnerTexts()
    .then((rows) => rows.map((row) => row.replaceAll('\u00a0', ' ').split('\t').map((cell) => cell.replace(/ ± .*/, '').trim())));
const whole = (page) => page.locator('.table:visible tbody tr:not(.spacer)').first().innerText().then((row) => row.replaceAll('\u00a0', ' '));

async function contextMenu(page, row, share, entry) {
  const {x, y} = await pointAt(page, row, share);
  await page.mouse.click(x, y, {button: 'right'});
  await page.locator('#menu button', {hasText: entry}).first().click();
}

test('the tabs go by click, key and arrow, and Back goes back', async () => {
  await browser.open(address, async (page) => {
    const chosen = () => page.locator('[role="tab"][aria-selected="true"]').innerText();
    assert.equal(await chosen(), 'Flame graph');
    await page.click('#view-top');
    assert.equal(await chosen(), 'Top');
    await page.keyboard.press('3');
    assert.equal(await chosen(), 'Sandwich');
    await page.focus('#view-sandwich');
    await page.keyboard.press('ArrowRight');
    assert.equal(await chosen(), 'Tree');
    await page.goBack();
    assert.equal(await chosen(), 'Sandwich');
    await page.reload();
    await page.waitForSelector('.sandwich:visible');
    assert.equal(await chosen(), 'Sandwich');
  });
});

test('the top table has each method once, sorts and leads to the sandwich', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-top');
    const rows = await rowsOf(page);
    assert.deepEqual(rows.slice(0, 3), [
      ['a.b/parse', '60.00', '60.0', '60.00', '60.0'],
      ['java/io/Writer.write', '25.00', '25.0', '25.00', '25.0'],
      ['fn--12', '10.00', '10.0', '10.00', '10.0'],
    ]);
    const heads = await page.locator('.table:visible thead th').allInnerTexts();
    assert.deepEqual(heads, ['Method', 'Self (ms)', 'Self %', 'Total (ms)', 'Total %']);
    assert.match(await whole(page), /60\.0 ± 9\.60/);
    await page.click('.table:visible th.total button');
    assert.equal((await rowsOf(page))[0][0], 'main');
    assert.match(await addressOf(page), /sort=total/);
    await page.click('.table:visible th.name button');
    assert.deepEqual((await rowsOf(page)).map((row) => row[0]).slice(0, 2), ['a.b/handle', 'a.b/parse']);
    await page.click('.table:visible .link:text-is("a.b/parse")');
    await page.waitForSelector('.sandwich:visible');
    assert.match(await text(page, '.middle'), /a\.b\/parse\s+60\.0 ms · 60\.0 %/);
  });
});

test('a table is filtered without a search, and copied for spreadsheets', async () => {
  await browser.open(`${address}#view=top`, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.fill('.table-filter:visible', 'WRIT');
    assert.deepEqual((await rowsOf(page)).map((row) => row[0]), ['java/io/Writer.write']);
    assert.match(await text(page, '.view-of-table:visible .note'), /^1 of 6 methods/);
    assert.doesNotMatch(await addressOf(page), /search/);
    await page.keyboard.press('Escape');
    assert.equal((await rowsOf(page)).length, 6);
    await page.click('.table:visible th.total button');
    await page.click('.copy-table:visible');
    await page.waitForSelector('#status:text("6 rows copied")');
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\r\n');
    assert.equal(lines[0], 'Method,self (nanoseconds),self (%),self ± (%),total (nanoseconds),total (%),total ± (%)');
    assert.equal(lines[1], 'main,0,0,0,100000000,100,0');
    assert.match(lines[2], /^a\.b\/handle,0,0,0,85000000,85,6\.99\d*$/);
    assert.equal(lines.length, 8);
  });
});

test('a narrow table shows the ends of names', async () => {
  const name = 'com/fasterxml/jackson/core/json/ReaderBasedJsonParser._finishString';
  const columns = columnsOf([{frames: [['main', native], [name, jit], ['a.b/c', jit]], values: [1, 1e6]}]);
  await browser.open(`${browser.page('narrow', columns)}#view=top`, async (page) => {
    const link = page.locator('.table:visible .link[title^="com/fasterxml"]');
    assert.equal(await link.innerText(), '_finishString');
    assert.equal(await link.getAttribute('title'), name);
    await page.setViewportSize({width: 1200, height: 800});
    await page.waitForSelector(`.table:visible .link:text-is("${name}")`);
  }, {viewport: {width: 390, height: 844}});
});

test('rows have the keyboard: arrows, Enter, the menu key', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-top');
    await page.focus('.table:visible table');
    await page.keyboard.press('ArrowDown');
    const active = () => page.evaluate(() => {
      const table = document.activeElement;
      return document.getElementById(table.getAttribute('aria-activedescendant')).querySelector('.name').innerText;
    });
    assert.equal(await active(), 'java/io/Writer.write');
    await page.keyboard.press('Home');
    assert.equal(await active(), 'a.b/parse');
    await page.keyboard.press('Shift+F10');
    assert.match(await text(page, '#menu'), /sandwich/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.sandwich:visible');
    // The focus stays with the method when the view changes.
    await page.keyboard.press('1');
    await page.waitForSelector('.box.selected:visible');
  });
});

test('the sandwich shows callers above and callees below, a click goes on', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-sandwich');
    assert.match(await text(page, '.middle'), /a\.b\/parse/);
    const [above, below] = await page.locator('.sandwich canvas').all();
    const box = await above.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10);
    assert.match(await text(page, '#tooltip'), /^a\.b\/handle\s.*of the method/s);
    const lower = await below.boundingBox();
    await page.mouse.move(lower.x + 20, lower.y + 10);
    assert.match(await text(page, '#tooltip'), /^a\.b\/parse/);
    await keepPicture(page, 'sandwich-small');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height - 10);
    await page.waitForSelector('.middle b:text-is("a.b/handle")');
    await page.goBack();
    await page.waitForSelector('.middle b:text-is("a.b/parse")');
  });
});

test('the tree is a treegrid that opens and closes by keys', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-tree');
    const grid = page.locator('[role="treegrid"]');
    await grid.focus();
    const names = async () => (await rowsOf(page)).map((row) => row[0]);
    const closed = ['all', 'main', 'a.b/handle', 'fn--12', 'fn--99'];
    const opened = ['all', 'main', 'a.b/handle', 'a.b/parse', 'java/io/Writer.write', 'fn--12', 'fn--99'];
    assert.deepEqual(await names(), opened);
    const press = (keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await press(['Home', 'ArrowDown', 'ArrowDown', 'ArrowLeft']);
    assert.deepEqual(await names(), closed);
    await press(['ArrowRight']);
    assert.deepEqual(await names(), opened);
    const handle = grid.locator('tr', {hasText: 'a.b/handle'});
    assert.equal(await handle.getAttribute('aria-expanded'), 'true');
    assert.equal(await handle.getAttribute('aria-level'), '3');
    await press(['ArrowLeft']);
    assert.equal(await handle.getAttribute('aria-expanded'), 'false');
    assert.match(await whole(page), /all\s+0\s+0\s+100\.00\s+100$/);
  });
});

test('packages and namespaces add up, and lead to their methods', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-packages');
    const rows = await rowsOf(page);
    assert.deepEqual(rows[0], ['a.b', '60.00', '60.0', '85.00', '85.0', '2']);
    await page.click('.table:visible .link:text-is("a.b")');
    await page.waitForSelector('#view-top[aria-selected="true"]');
    assert.deepEqual((await rowsOf(page)).map((row) => row[0]), ['a.b/parse', 'a.b/handle']);
    assert.match(await text(page, '.view-of-table:visible .note'), /^2 of 6 methods/);
  });
});

test('lines show where in a method the time is', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-lines');
    assert.match(await text(page, '.view-of-table:visible .note'), /a\.b\/parse/);
    const rows = await rowsOf(page);
    assert.deepEqual(rows.map((row) => row.slice(0, 2)), [['line 21', '30.00'], ['line 22', '20.00'], ['line 20', '10.00']]);
    await page.keyboard.press('1');
    const {x, y} = await pointAt(page, 3, 0.3);
    await page.mouse.move(x, y);
    // Shown once the pointer rests.
    await page.waitForSelector('#tooltip:has-text("line 20 100")');
    assert.match(await text(page, '#tooltip'), /^a\.b\/parse.*line 20 100 %/s);
  });
});

test('dragging over the timeline chooses a range, its handles move it, all of it comes back', async () => {
  await browser.open(address, async (page) => {
    assert.ok(!await page.isVisible('#timeline'));
    assert.match(await text(page, '#strip-text'), /^2\.00 s · 0\.05 CPUs$/);
    await page.click('#toggle-strip');
    assert.match(await text(page, '#time-text'), /^2\.00 s · 0\.05 CPUs$/);
    const strip = await page.locator('#timeline-canvas').boundingBox();
    await page.mouse.move(strip.x + 12, strip.y + 20);
    await page.mouse.down();
    await page.mouse.move(strip.x + strip.width * 0.49, strip.y + 20, {steps: 4});
    await page.mouse.up();
    await page.waitForFunction(() => location.hash.includes('time=0-1000000000'));
    await page.click('#view-top');
    assert.equal((await rowsOf(page))[0][1], '40.00');
    await page.focus('#time-to');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash.includes('time=0-1500000000'));
    // The strip follows the table, and both the address.
    await page.waitForFunction(() => document.getElementById('time-to').ariaValueText.replaceAll('\u00a0', ' ') === '1.50 s');
    assert.equal((await rowsOf(page))[0][1], '60.00');
    await keepPicture(page, 'timeline');
    await page.goBack();
    await page.waitForFunction(() => location.hash.includes('time=0-1000000000'));
    await page.click('#time-reset');
    await page.waitForFunction(() => !location.hash.includes('time='));
    assert.equal((await rowsOf(page)).length, 6);
    await page.reload();
    assert.ok(await page.isVisible('#timeline'), 'it stays open');
    await page.click('#toggle-strip');
    assert.ok(!await page.isVisible('#timeline'));
    await page.keyboard.press('t');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'time-from');
  });
});

test('a link to a range opens the strip', async () => {
  await browser.open(`${address}#time=0-1000000000`, async (page) => {
    await page.waitForSelector('#timeline:visible');
    assert.match(await text(page, '#strip-text'), /^0 s to 1\.00 s/);
    await page.click('#toggle-strip');
    assert.ok(!await page.isVisible('#timeline'));
  });
});

test('the strip is as long as the profile, however early its last sample was', async () => {
  const stacks = [{frames: [['main', KIND.jit]], values: [87, 870e6], time: 0}];
  const idle = columnsOf(stacks, {time: {step_ns: 5e9, count: 1}, duration_ns: 10e9, lens: 1});
  await browser.open(browser.page('idle-at-last', idle), async (page) => {
    assert.match(await text(page, '#strip-text'), /^10\.0 s · 0\.09 CPUs$/);
  });
});

test('threads are found, chosen and grouped by', async () => {
  await browser.open(address, async (page) => {
    await page.keyboard.press('p');
    await page.waitForSelector('#filters .label');
    const values = await text(page, '.label[data-key="thread"]');
    assert.match(values, /worker-2\s+60\.0 %\s+worker-1\s+40\.0 %/);
    await page.check('label:has-text("worker-1") input');
    assert.match(await addressOf(page), /labels=/);
    assert.equal(await text(page, '#panel-count'), '1');
    await page.click('#view-top');
    assert.equal((await rowsOf(page)).length, 3);
    await page.click('.label[data-key="thread"] button:text-is("Clear")');
    assert.equal((await rowsOf(page)).length, 6);
    await page.click('.label[data-key="thread"] button:text-is("Group by thread")');
    await page.click('#view-tree');
    const groups = async () => (await rowsOf(page)).map((row) => row[0]).filter((name) => name.includes('worker')).length;
    assert.equal(await groups(), 2);
    // Pressed again, the button takes the group away; the address never holds it twice.
    const isOn = () => page.getAttribute('#group-thread', 'aria-pressed');
    await page.waitForSelector('#group-thread[aria-pressed="true"]');
    await keepPicture(page, 'grouped');
    await page.click('#group-thread');
    await page.waitForSelector('#group-thread[aria-pressed="false"]');
    assert.equal(await groups(), 0);
    assert.doesNotMatch(await addressOf(page), /group/);
    await page.click('#group-thread');
    await page.selectOption('#add-transform', 'group');
    await page.selectOption('#transform-1-what', 'thread');
    await page.waitForFunction(() => document.querySelectorAll('.transform').length === 1);
    const link = await addressOf(page);
    assert.equal(link.split('"group"').length, 2, link);
    assert.equal(await isOn(), 'true');
    // The graph alone needs a part of the tree only; a search in it needs all.
    await page.reload();
    await page.click('#view-flame');
    await page.fill('#search', 'parse');
    await page.waitForFunction(() => document.getElementById('matched').textContent.includes('%'));
  });
});

test('an empty range of a thread is reported, and can be widened again', async () => {
  await browser.open(`${address}#time=1500000000-2000000000&labels=${encodeURIComponent('{"thread":["worker-1"]}')}`, async (page) => {
    assert.equal(await text(page, '#message'), 'No stacks match the filters and transforms.');
    await page.click('#show-all');
    await page.waitForSelector('body[data-state="ready"]');
    assert.ok(await page.locator(CANVAS).isVisible());
  });
});

test('menu actions become transforms', async () => {
  await browser.open(address, async (page) => {
    await page.click('#view-flame');
    await contextMenu(page, 3, 0.3, 'Hide frame');
    await page.keyboard.press('p');
    assert.equal(await page.locator('.transform').count(), 1);
    assert.equal(await page.inputValue('#transform-0-what'), '/^a\\.b\\/parse$/');
    await page.click('#view-top');
    assert.ok(!(await rowsOf(page)).some((row) => row[0] === 'a.b/parse'));
    await page.uncheck('#transform-0-on');
    assert.ok((await rowsOf(page)).some((row) => row[0] === 'a.b/parse'));
    await page.goBack();
    await page.waitForFunction(() => document.getElementById('transform-0-on').checked);
    await page.click('#transform-0-delete');
    assert.equal(await page.locator('.transform').count(), 0);
  });
});

test('transforms are added, edited, moved, saved as a preset and taken from text', async () => {
  await browser.open(address, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('p');
    await page.selectOption('#add-transform', 'replace');
    await page.fill('#transform-0-what', '/a\\.b.(\\w+)/');
    await page.fill('#transform-0-replacement', 'ab_$1');
    await page.click('#view-top');
    assert.ok((await rowsOf(page)).some((row) => row[0] === 'ab_parse'));
    await page.selectOption('#add-transform', 'merge-similar');
    await page.waitForSelector('.transform >> nth=1');
    assert.equal((await rowsOf(page)).length, 5);
    await page.click('#transform-1-up');
    assert.match(await text(page, '.transform >> nth=0'), /Merge similar/);
    await page.fill('#transform-1-what', '/(/');
    await page.waitForSelector('.transform .problem:visible');
    await page.fill('#transform-1-what', '/a\\.b.(\\w+)/');
    await page.click('#save-preset');
    await page.fill('.entry input[aria-label="Name of the preset"]', 'mine');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#add-preset option:text-is("mine")', {state: 'attached'});
    await page.click('#copy-transforms');
    await page.waitForSelector('#status:text("Transforms copied")');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.deepEqual(JSON.parse(copied).map(({type}) => type), ['merge-similar', 'replace']);
    await page.click('#transform-0-delete');
    await page.click('#transform-0-delete');
    await page.click('#paste-transforms');
    await page.fill('.entry textarea', 'nonsense');
    await page.click('.entry button:text-is("Apply")');
    await page.waitForSelector('#transforms .problem:has-text("Not a list of transforms")');
    await page.fill('.entry textarea', copied);
    await page.click('.entry button:text-is("Apply")');
    assert.equal(await page.locator('.transform').count(), 2);
    await keepPicture(page, 'panel-small');
    await page.reload();
    await page.waitForSelector('.transform >> nth=1');
    await page.click('#transform-1-delete');
    await page.click('#transform-0-delete');
    await page.selectOption('#add-preset', {label: 'mine'});
    assert.equal(await page.locator('.transform').count(), 2);
  });
});

test('a page that opens on the tree has its menu and its stacks', async () => {
  await browser.open(`${address}#view=tree&method=java%2Fio%2FWriter.write`, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('[role="treegrid"] tr', {hasText: 'Writer.write'}).click({button: 'right'});
    await page.click('#menu button:text-is("Copy stack")');
    await page.waitForSelector('#status:text("Stack copied")');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'main;a.b/handle;java/io/Writer.write');
  });
});
