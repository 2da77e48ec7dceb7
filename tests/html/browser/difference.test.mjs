import assert from 'node:assert/strict';
import {test} from 'node:test';

import {differenceOf, service} from '../examples.mjs';

import {Browser, colourAt, colourCount, keepPicture, pointAt, textOf as text} from './browser.mjs';


// Rows from the root: all, main, then by name a/fresh (0.15 of the width), a/gone (0.05), a/hot (0.2), a/same.
const LEAVES = [['a/hot', 100, 600], ['a/same', 800, 790], ['a/gone', 100, 0], ['a/fresh', 0, 610]];

const browser = Browser.forTests();
const address = browser.page('difference', differenceOf(LEAVES));

async function describe(page, row, share) {
  const {x, y} = await pointAt(page, row, share);
  await page.mouse.move(x, y);
  return text(page, '#tooltip');
}

test('a difference names both profiles and shows new and vanished frames', async () => {
  await browser.open(address, async (page) => {
    assert.equal(await text(page, '#title'), 'old.pb.gz → new.pb.gz');
    assert.match(await text(page, '#facts'), /^before\s*old\.pb\.gz.*cpu every 10\.0 ms.*\s+after\s*new\.pb\.gz/s);
    await page.click('#quality summary');
    assert.match(await text(page, '#account'), /^before\s+Good profile\s.*1,000 samples in 10\.0 s\s+none lost.*after\s.*1 lost \(0\.10 %\)/s);
    assert.match(await text(page, '#quality-table'), /^\s*before\s+after\s+Samples recorded\s+1,000\s+1,000/);
    await page.keyboard.press('Escape');
    assert.match(await text(page, '#legend'), /Shrank\s+Within chance\s+Grew\s+New\s+Vanished/);
    assert.match(
        await describe(page, 2, 0.1),
        /^a\/fresh\s+new: not present before\s.*before\s+after\s+change\s+Total\s+0 %\s+30\.5 %\s+\+30\.5 ± 2\.\d points\s+Self/s);
    assert.match(await describe(page, 2, 0.175), /^a\/gone\s+vanished.*10\.0 %\s+0 %\s+−10\.0 ±/s);
    assert.match(await describe(page, 2, 0.35), /^a\/hot\s+grew\s.*10\.0 %\s+30\.0 %\s+\+20\.0 ±/s);
    assert.match(await describe(page, 2, 0.8), /^a\/same\s+shrank\s/);
    assert.match(await describe(page, 1, 0.5), /^main\s+unchanged/);
    await keepPicture(page, 'difference');
  });
});

test('several runs a side are shown', async () => {
  const columns = differenceOf(LEAVES);
  Object.assign(columns.header.difference, {per: 'run', noise: 'runs'});
  columns.header.difference.sides.forEach((side) => Object.assign(side, {runs: 2, divisor: 2}));
  await browser.open(browser.page('runs', columns), async (page) => {
    assert.match(await text(page, '#facts'), /2 runs combined · amounts per run.*2 runs combined/s);
    await page.click('#choose-scale button:text-is("Amounts")');
    assert.match(await describe(page, 1, 0.5), /^main\s.*5\.00 s\s+10\.0 s/s);
  });
});

test('amounts and one side at a time', async () => {
  await browser.open(address, async (page) => {
    await page.click('#choose-scale button:text-is("Amounts")');
    assert.match(await describe(page, 2, 0.8), /^a\/same\s+shrank, within chance/);
    assert.match(await describe(page, 2, 0.3), /^a\/hot\s.*1\.00 s\s+6\.00 s\s+\+5\.00 s ± \d+ ms/s);
    await page.click('#choose-width button:text-is("Before")');
    assert.match(await describe(page, 2, 0.05), /^a\/gone/);
    await page.click('#choose-width button:text-is("After")');
    assert.match(await describe(page, 2, 0.05), /^a\/fresh/);
    await page.reload();
    await page.waitForSelector('body[data-state="ready"]');
    assert.equal(await page.getAttribute('#choose-width button:text-is("After")', 'aria-pressed'), 'true');
    assert.equal(await page.getAttribute('#choose-scale button:text-is("Amounts")', 'aria-pressed'), 'true');
    await page.keyboard.press('c');
    assert.match(await describe(page, 1, 0.05), /^a\/fresh\s+new/);
    await page.keyboard.press('v');
    assert.match(await describe(page, 1, 0.05), /^a\/fresh.*610 samples/s);
  });
});

test('the table of changes sorts, hides nothing, pales chance and leads to the method', async () => {
  await browser.open(browser.page('table', differenceOf([...LEAVES, ['a/quiet', 50, 101]])), async (page) => {
    await page.click('#view-changes');
    const table = page.locator('table[aria-label^="Methods by change"]');
    const names = () => table.locator('.link').allInnerTexts();
    assert.deepEqual(await names(), ['a/same', 'a/fresh', 'a/hot', 'a/gone', 'a/quiet', 'main']);
    assert.match(await text(page, '.view-of-table:visible .note'), /^6 methods\s+4 changed beyond chance; a share also shrinks when others grow$/);
    assert.equal(await table.locator('tr:has-text("a/quiet") .noise').count(), 2);
    assert.match(await table.innerText(), /vanished\s*a\/gone/);
    const after = table.locator('button:text-is("Self after")');
    await after.click();
    assert.equal((await names())[0], 'a/same');
    await after.click();
    assert.equal((await names()).at(-1), 'a/same');
    await keepPicture(page, 'changes');
    const change = table.locator('button:text-is("Self change")');
    const firstAfterClick = async () => {
      await change.click();
      return (await names())[0];
    };
    assert.deepEqual([await firstAfterClick(), await firstAfterClick(), await firstAfterClick()], ['a/same', 'a/fresh', 'a/same']);
    for (let click = 0; click < 2; click++) await change.click();
    await page.click('#view-flame');
    await page.click('#view-changes');
    assert.deepEqual((await names()).slice(0, 2), ['a/fresh', 'a/hot'], 'the order stays when the reader comes back');
    await page.fill('#search', 'hot');
    await page.waitForFunction(() => location.hash.includes('search=hot'));
    assert.deepEqual(await names(), ['a/hot']);
    assert.match(await text(page, '.view-of-table:visible .note'), /^1 of 6 methods\s+1 changed beyond chance/);
    assert.match(await text(page, '#matched'), /^\d.* % → \d.* %$/);
    await table.locator('.link').click();
    await page.waitForSelector('.sandwich:visible');
    assert.match(await text(page, '.middle'), /a\/hot\s.*→/s);
    await page.goBack();
    await page.waitForSelector('table[aria-label^="Methods by change"]');
  });
});

test('the tree, packages and lines of a difference have before and after, and no figure is cut', async () => {
  const columns = differenceOf([['a.b/hot', 1_000, 6_000], ['c.d/same', 80_000, 80_000]]);
  await browser.open(browser.page('tables', columns), async (page) => {
    await page.click('#choose-scale button:text-is("Amounts")');
    for (const [view, name] of [['tree', 'a.b/hot'], ['packages', 'a.b'], ['changes', 'a.b/hot']]) {
      await page.click(`#view-${view}`);
      const row = page.locator(`tr:visible:has-text("${name}")`).first();
      assert.match((await row.innerText()).replaceAll('\u00a0', ' '), /10\.00\s+60\.00\s+\+50\.00 ± 1\.6\d/, view);
      const cut = await page.locator('.rows:visible td:not(.text)').evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
      assert.equal(cut, 0, view);
    }
    await page.click('#view-lines');
    await page.waitForSelector('table[aria-label^="Lines of"]');
    assert.match(await text(page, '.view-of-table:visible .note'), /^1 line\s+c\.d\/same: no line numbers in this profile$/);
  });
});

test('every view can be chosen in a small window', async () => {
  await browser.open(address, async (page) => {
    await page.setViewportSize({width: 1000, height: 700});
    for (const view of ['callers', 'sandwich', 'tree', 'changes', 'packages', 'lines', 'flame']) {
      const tab = await page.locator(`#view-${view}`).boundingBox();
      const found = await page.evaluate(({x, y, width, height}) => document.elementFromPoint(x + width / 2, y + height / 2)?.id, tab);
      assert.equal(found, `view-${view}`);
    }
  });
});

test('the tooltip disappears with its frame', async () => {
  const deep = Array.from({length: 60}, (_, i) => `a/f${i}`).join(';');
  await browser.open(browser.page('deep', differenceOf([[deep, 1_000, 2_000]])), async (page) => {
    await page.hover('#graph canvas', {position: {x: 300, y: 200}});
    await page.waitForSelector('#tooltip:visible');
    await page.mouse.wheel(0, -200);
    await page.waitForSelector('#tooltip', {state: 'hidden'});
  });
});

test('colours distinguish growth, shrinkage and chance in both themes', async () => {
  await browser.open(address, async (page) => {
    for (const theme of ['light', 'dark']) {
      await page.waitForSelector(`html[data-theme="${theme}"]`);
      const colours = await Promise.all([[1, 0.5], [2, 0.4], [2, 0.9]].map(async ([row, share]) => colourAt(page, await pointAt(page, row, share))));
      assert.equal(new Set(colours).size, 3, theme);
      assert.ok(await colourCount(page) > 6);
      await keepPicture(page, `difference-${theme}`);
      await page.keyboard.press('d');
    }
    await page.keyboard.press('?');
    assert.match(await text(page, '#help'), /switch view.*Reading a difference/s);
  });
});

test('names of frames and of profiles are text in the table, too', async () => {
  const evil = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>';
  const columns = differenceOf([[evil.replaceAll(';', ''), 0, 500], ['rest', 500, 500]], {title: evil});
  columns.header.difference.sides[0].name = evil;
  // The window has space for the whole name.
  await browser.open(browser.page('evil', columns), async (page) => {
    assert.equal(await page.title(), evil);
    await page.click('#view-changes');
    assert.ok((await text(page, '#stage')).includes('<img src=x'));
    assert.equal(await page.locator('img').count(), 0);
  }, {viewport: {width: 2400, height: 800}});
});

test('an ordinary page has no controls of differences', async () => {
  await browser.open(browser.page('ordinary', service()), async (page) => {
    for (const control of ['#choose-scale', '#choose-width', '#open-changes']) assert.ok(!await page.isVisible(control));
    await page.keyboard.press('t');
    assert.ok(!await page.isVisible('#changes'));
  });
});
