// A page as a whole: the parts around the picture, searching, menus, themes and paper.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {service, SMALL} from '../examples.mjs';
import {columnsOf, encodePayload, KIND} from '../make_page.mjs';

import {Browser, CANVAS, click, colourAt, colourCount, keepPicture, pointAt, textOf as text} from './browser.mjs';

const {jit, native} = KIND;

const browser = Browser.forTests();
const small = browser.page('small', SMALL);

test('a page from disk draws its profile and its quality', async () => {
  await browser.open(browser.page('service', service()), async (page) => {
    assert.ok(await colourCount(page) > 40);
    assert.equal(await page.title(), 'Order service under load');
    assert.equal(await text(page, '#title'), 'Order service under load');
    assert.equal(await text(page, '#verdict'), 'Good profile');
    await page.click('#verdict');
    const figures = await text(page, '#account');
    for (const figure of ['Good profile', '12,407 samples in 10.0 s', '9 lost (0.072 %)', '99.2 % complete stacks', 'overhead 0.76 % of a CPU']) {
      assert.ok(figures.includes(figure), `${figure} in ${figures}`);
    }
    const legend = await text(page, '#legend');
    assert.match(legend, /Clojure\s[\d.]+ %/);
    assert.doesNotMatch(legend, /Thread|Class/);
    await keepPicture(page, 'service');
  });
});

test('the tooltip shows total and self, of all and of the zoomed frame', async () => {
  await browser.open(small, async (page) => {
    const parse = await pointAt(page, 2, 0.4);
    await page.mouse.move(parse.x, parse.y);
    assert.match(
        await text(page, '#tooltip'),
        /^a\.b\/parse\s+Clojure, compiled\s+of total\s+Total\s+60\.0 ms\s+60\.0 % ± 9\.60 %\s+Self\s+20\.0 ms\s+20\.0 % ± 7\.84 %$/);
    await page.mouse.click(parse.x, parse.y);
    const token = await pointAt(page, 3, 0.3);
    await page.mouse.move(token.x, token.y);
    assert.match(await text(page, '#tooltip'), /^a\.b\/token.*of zoomed.*40\.0 ms\s+40\.0 % ± 9\.60 %\s+66\.7 % ± 11\.9 %/s);
    await keepPicture(page, 'tooltip');
  });
});

test('the tooltip shows how a method ran', async () => {
  const stacks = [[KIND.interpreted, 6], [KIND.c1, 18], [jit, 36]].map(
      ([kind, samples]) => ({frames: [['main', native], ['a.b/parse', kind]], values: [samples, samples * 1e6]}));
  await browser.open(browser.page('mixed', columnsOf(stacks)), async (page) => {
    const parse = await pointAt(page, 2, 0.4);
    await page.mouse.move(parse.x, parse.y);
    // Shown once the pointer rests.
    await page.waitForSelector('#tooltip:has-text("C2")');
    assert.match(await text(page, '#tooltip'), /^a\.b\/parse\s+Clojure, compiled\s+C2 60\.0 % · C1 30\.0 % · interpreted 10\.0 %\s/);
    await page.click('#view-callers');
    const turned = await pointAt(page, 1, 0.5);
    await page.mouse.move(turned.x, turned.y);
    assert.doesNotMatch(await text(page, '#tooltip'), /C2/);
  });
});

test('a bracketed word explains itself, and so does the ? of the header', async () => {
  await browser.open(small, async (page) => {
    await page.click('#bracketed summary');
    assert.match(await text(page, '#bracketed-words'), /^\[unknown_Java\]\s.*could not be found[^[]*$/s);
    await page.keyboard.press('Escape');
    assert.ok(!await page.isVisible('#bracketed-words'));
    const word = await pointAt(page, 2, 0.05);
    await page.mouse.move(word.x, word.y);
    assert.match(await text(page, '#tooltip'), /^\[unknown_Java\].*could not be found/s);
  });
});

test('an address comes back to the same sight', async () => {
  await browser.open(small, async (page) => {
    await page.keyboard.press('i');
    await page.keyboard.press('v');
    await page.fill('#search', 'token');
    await page.waitForFunction(() => location.hash.includes('search=token'));
    await page.reload();
    await page.waitForSelector('body[data-state="ready"]');
    assert.equal(await page.inputValue('#search'), 'token');
    assert.equal(await page.getAttribute('#toggle-icicle', 'aria-pressed'), 'true');
    assert.equal(await page.getAttribute('#lenses button:text-is("Samples")', 'aria-pressed'), 'true');
    assert.equal(await text(page, '#matched'), '70.0 %');
  });
});

test('a search colours its frames and counts each stack once', async () => {
  await browser.open(small, async (page) => {
    const token = await pointAt(page, 3, 0.3);
    const before = await colourAt(page, token);
    await page.keyboard.press('/');
    await page.keyboard.type('a\\.b');
    await page.waitForSelector('#matched:text("90.0")');
    assert.equal(await text(page, '#matched'), '90.0 %');
    assert.notEqual(await colourAt(page, token), before);
    await keepPicture(page, 'search');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#position:text("1/2")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#matched:empty', {state: 'attached'});
    assert.equal(await colourAt(page, token), before);
  });
});

test('Ctrl+F searches, n and N go round the matches', async () => {
  await browser.open(small, async (page) => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('token');
    await page.waitForSelector('#matched:text("70.0")');
    await page.locator('#search').blur();
    const steps = [['n', '1/2'], ['n', '2/2'], ['n', '1/2'], ['N', '2/2']];
    for (const [key, position] of steps) {
      await page.keyboard.press(key);
      await page.waitForSelector(`#position:text("${position}")`);
    }
    assert.match(await text(page, '#tooltip'), /^a\.b\/token.*30\.0 ms/s);
  });
});

test('a pattern that is no regular expression is searched for as text', async () => {
  await browser.open(small, async (page) => {
    await page.fill('#search', '[unknown');
    await page.waitForSelector('#search-problem:not([hidden])');
    assert.match(await text(page, '#search-problem'), /^Not a regular expression \(.+\): searched for as plain text$/);
    assert.equal(await text(page, '#matched'), '10.0 %');
    await page.fill('#search', 'nowhere');
    await page.waitForSelector('#matched:text("no match")');
  });
});

test('the theme follows the system until it is chosen, and the choice is remembered', async () => {
  await browser.open(small, async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), 'dark');
    const point = await pointAt(page, 2, 0.4);
    const dark = await colourAt(page, point);
    await keepPicture(page, 'dark');
    await page.emulateMedia({colorScheme: 'light'});
    await page.waitForSelector('html[data-theme="light"]');
    assert.notEqual(await colourAt(page, point), dark);
    await page.keyboard.press('d');
    assert.equal(await theme(), 'dark');
    await page.reload();
    assert.equal(await theme(), 'dark');
  }, {colorScheme: 'dark'});
});

test('the menu copies, highlights and zooms', async () => {
  await browser.open(small, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const choose = async (entry) => {
      await click(page, 3, 0.3, {button: 'right'});
      await page.locator('#menu button', {hasText: entry}).first().click();
    };
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await choose('Copy stack');
    await page.waitForSelector('#status:text("Stack copied")');
    assert.equal(await clipboard(), 'main;a.b/parse;a.b/token');
    await choose('Copy name');
    await page.waitForSelector('#status:text("Name copied")');
    assert.equal(await clipboard(), 'a.b/token');
    const token = await pointAt(page, 3, 0.3);
    const before = await colourAt(page, token);
    await choose('Highlight');
    assert.notEqual(await colourAt(page, token), before);
    await choose('Zoom in');
    assert.match(await text(page, '#crumbs'), /a\.b\/token/);
  });
});

test('help lists the keys and every bracketed word', async () => {
  await browser.open(small, async (page) => {
    await page.keyboard.press('?');
    const help = await text(page, '#help');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'help-title');
    for (const word of ['[unknown_Java]', '[below minwidth]', '[GC_active]', 'Ctrl+F'])
      assert.ok(help.includes(word), word);
    await keepPicture(page, 'help');
    await page.keyboard.press('i');
    assert.equal(await page.getAttribute('#toggle-icicle', 'aria-pressed'), 'false');
    await page.keyboard.press('Escape');
    assert.ok(!await page.isVisible('#help'));
  });
});

test('notes are behind a chip that can be closed, the whole account of quality is a click away', async () => {
  const notes =
      ['perf_event_open is refused (perf_event_paranoid is 3): no kernel frames; set kernel.perf_event_paranoid to 1'];
  const header = {
    ...SMALL.header,
    quality: {
      ...SMALL.header.quality,
      notes,
      failures: {GC_active: 3, unknown_Java: 8},
      without_symbols: {'libz.so.1': 12, 'libc.so.6': 987, 'libnet.so': 1}
    }
  };
  await browser.open(browser.page('notes', {...SMALL, header}), async (page) => {
    assert.ok(!await page.isVisible('#notes'));
    await page.click('#note-count:text-is("1 note")');
    assert.equal(await text(page, '#notes'), notes[0]);
    await page.click('#quality summary');
    assert.ok(!await page.isVisible('#notes'), 'one is open at a time');
    const account = await text(page, '#quality-table');
    assert.match(account, /\[unknown_Java\]\s+8 .*\[GC_active\]\s+3 /s);
    assert.match(account, /Samples without symbols\s+1,000 · 10.1.%\s+… in libc.so.6\s+987 /);
    assert.match(account, /Time per sample\s+median 5.90.µs, p99 15.3.µs/);
    assert.match(await text(page, '#account'), /^Read with care\s+Part of the native code has no symbols.*10\.1 % without symbols/s);
    await keepPicture(page, 'notes');
    await page.keyboard.press('Escape');
    assert.ok(!await page.isVisible('#quality-table'));
    await page.click('#note-count');
    await page.mouse.click(600, 700);
    assert.ok(!await page.isVisible('#notes'), 'a click elsewhere closes them');
    await page.click('#note-count');
    await page.click('#close-notes');
    assert.ok(!await page.isVisible('#note-count'));
  });
});

test('the verdict is of the value that is shown, and follows the choice of another', async () => {
  const values = [{type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds', interval: 10e6}, {type: 'wall', unit: 'nanoseconds', interval: 50e6}];
  const stacks = [
    {frames: [['main', KIND.jit], ['a/B.run', KIND.jit]], values: [35, 350e6, 0]},
    {frames: [['main', KIND.jit], ['[parked]', KIND.marker]], values: [1550, 0, 77.5e9]},
  ];
  const program = {program: 'com.acme.Shop', pid: '4711'};
  const quality = {...SMALL.header.quality, samples: 1585, lost: 0, java_samples: 1585, whole: 1585, whole_share: 1, without_symbols: {}};
  const several = columnsOf(stacks, {title: 'cpu, wall', event: 'cpu, wall', values, lens: 1, duration_ns: 3e9, quality, ...program});
  await browser.open(browser.page('of-each-value', several), async (page) => {
    await page.click('#verdict');
    assert.match(await text(page, '#account'), /^Read with care\s+35 CPU samples in 3\.00 s, small shares may be chance: use -i 1ms or a longer run\.\s+none lost/);
    assert.match(await text(page, '#facts'), /^com\.acme\.Shop \(pid 4711\)/);
    assert.match(await text(page, '#about'), /^com\.acme\.Shop \(pid 4711\)/);
    await keepPicture(page, 'few-cpu-samples');
    await page.keyboard.press('Escape');
    await page.click('#lenses button:text-is("Wall time")');
    await page.waitForSelector('#verdict.good');
    await page.click('#verdict');
    assert.match(await text(page, '#account'), /^Good profile\s+No samples lost, all stacks complete\.\s+1,550 wall clock samples/);
    await page.keyboard.press('Escape');
    await page.click('#lenses button:text-is("CPU time")');
    await page.waitForSelector('#verdict:not(.good)');
  });
});

test('a profile that was made elsewhere claims no quality', async () => {
  const header = {...SMALL.header, duration_ns: 0, quality: {...SMALL.header.quality, engine: '', samples: 100}};
  await browser.open(browser.page('elsewhere', {...SMALL, header}), async (page) => {
    await page.click('#verdict:text-is("Quality unknown")');
    assert.match(await text(page, '#account'), /^Quality unknown\s+This file has no quality data.*100 samples$/s);
    assert.ok(!await page.isVisible('#quality-table'));
  });
});

test('names are text, whatever is in them', async () => {
  const evil = '<img src=x onerror="document.title=1">{{HEARTH_DATA}}</script><script>document.title=2</script>';
  const columns = columnsOf([{frames: [[evil, native]], values: [1, 1e6]}], {title: evil});
  await browser.open(browser.page('evil', columns), async (page) => {
    assert.equal(await page.title(), evil);
    assert.equal(await text(page, '#title'), evil);
    await click(page, 1, 0.5);
    await page.waitForSelector('#crumbs:not([hidden])');
    assert.equal(await page.locator('img').count(), 0);
  });
});

test('an empty profile shows that nothing was sampled', async () => {
  await browser.open(browser.page('empty', columnsOf([])), async (page) => {
    assert.equal(await text(page, '#message'), 'No samples.');
    for (const key of ['c', 'i', 's', 'v', 'n', 'ArrowUp', 'Enter', '0']) await page.keyboard.press(key);
  });
});

test('damaged data is reported, not drawn', async () => {
  const payload = encodePayload(SMALL);
  await browser.open(browser.pageOfPayload('damaged', payload.subarray(0, payload.length - 3)), async (page) => {
    assert.match(await text(page, '#message'), /Cannot show this flame graph: .* Create the page again/);
    await keepPicture(page, 'damaged');
  });
});

test('printing shows the light page without its controls', async () => {
  await browser.open(small, async (page) => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({media: 'print'});
    assert.ok(!await page.isVisible('#search'));
    assert.ok(await page.isVisible('#verdict') && await page.isVisible('#facts'));
    assert.ok(await page.isVisible(CANVAS));
    assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
    await keepPicture(page, 'print');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  }, {colorScheme: 'dark'});
});
