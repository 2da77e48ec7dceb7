// Where a reader is, as an address and as what is asked of the engine; and what a page says of a profile and its sources.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {carryPlace, firstPlace, isNarrowed, lensesOf, MOST_HIGHLIGHTS, readPlace, requestOf, viewIds, writePlace} from '../../html/model/place.js';
import {bracketedWordsOf, phrasesOf, verdictOf} from '../../html/model/quality.js';
import {isLinkTemplate, sourceLink, sourceOf} from '../../html/model/source.js';
import {contrast, makeDifferencePalette, makePalette} from '../../html/view/colours.js';
import {resample} from '../../html/view/timeline.js';

import {differenceOf} from './examples.mjs';

const plain = (text) => text.replaceAll('\u00a0', ' ');
const CPU = [{type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds'}];

test('a place survives the address', () => {
  const header = {lens: 1, values: CPU, labels: [{key: 'thread'}, {key: 'tid', unit: ''}], view: {reverse: false, inverted: true, minwidth: 0}};
  const first = firstPlace(header);
  assert.equal(writePlace(first, first), '');
  const place = {
    view: 'sandwich',
    lens: 0,
    icicle: false,
    byWidth: true,
    panel: true,
    lines: true,
    kinds: false,
    search: 'a&b=#c d+é',
    highlights: ['x|y', '^é'],
    transforms: [{type: 'replace', what: '/a(b)/', replacement: '$1;', enabled: false}],
    labels: {thread: ['a, "b"', null], tid: [17]},
    time: [20e6, 4e9],
    method: 'a.b/c',
    sort: '-total',
    zoom: '3.0.~made%20up',
  };
  assert.deepEqual(readPlace('#' + writePlace(place, first), first, header), place);
});

test('an address that says nonsense shows the first view', () => {
  const header = {lens: 9, values: [CPU[0]], view: null};
  const first = firstPlace(header);
  assert.equal(first.lens, 0);
  const nonsense = [
    '#value=7', '#value=-1', '#value=0.5', '#%%%', '#view=nowhere', '#time=9-3', '#time=x', '#labels=[1]', '#labels={"a":3}', '#labels={"a":["b"]}',
    '#transforms={"type":"hide"}', '#transforms=[{"what":"x"}]', '#transforms=[{"type":"hide","what":3}]', '#highlights=[3]', '#highlights=[""]', '#highlights=x',
  ];
  for (const fragment of nonsense) assert.deepEqual(readPlace(fragment, first, header), first, fragment);
});

test('what was asked for when the profile was written is what is seen first', () => {
  const view = {reverse: true, inverted: true, sort: 'width', highlights: ['a.b', '/x+/']};
  const first = firstPlace({lens: 1, values: CPU, view, transforms: [{type: 'merge-similar'}]});
  assert.deepEqual([first.view, first.icicle, first.byWidth], ['callers', true, true]);
  assert.deepEqual(first.highlights, ['a\\.b', '/x+/']);
  assert.deepEqual(requestOf(first).transforms, [{type: 'merge-similar'}]);
  assert.ok(isNarrowed(first));
  const many = Array.from('abcdefgh');
  assert.equal(firstPlace({lens: 1, values: CPU, view: {highlights: many}}).highlights.length, MOST_HIGHLIGHTS);
  assert.equal(readPlace(`highlights=${JSON.stringify(many)}`, first, {values: CPU}).highlights.length, MOST_HIGHLIGHTS);
});

test('what is switched off or empty asks nothing of the engine', () => {
  const first = firstPlace({lens: 1, values: CPU});
  const place = {...first, labels: {thread: [], state: ['x']}, time: [0, 5], transforms: [{type: 'hide', what: 'x', enabled: false}]};
  assert.deepEqual(requestOf(place), {lens: 1, filters: {labels: {state: ['x']}, time: {from_ns: 0, to_ns: 5}}, transforms: [], parted: {lines: false, kinds: false}});
  assert.ok(isNarrowed(place));
  assert.ok(!isNarrowed({...place, labels: {thread: []}, time: null}));
});

test('the samples of several events are not summed up', () => {
  const header = {lens: 0, values: [{type: 'samples'}, {type: 'cpu'}, {type: 'wall'}]};
  assert.deepEqual(lensesOf(header), [1, 2]);
  const first = firstPlace(header);
  assert.equal(first.lens, 1);
  assert.equal(firstPlace({...header, lens: 2}).lens, 2);
  assert.equal(readPlace('#value=0', first, header).lens, 1);
  assert.equal(readPlace('#value=2', first, header).lens, 2);
  assert.deepEqual(lensesOf({values: [{type: 'samples'}, {type: 'cpu'}]}), [0, 1]);
  assert.equal(firstPlace({lens: 0, values: []}).lens, 0);
});

test('a place has what a difference is shown by', () => {
  const {header} = differenceOf([['a', 1, 2]]);
  const first = firstPlace(header);
  assert.deepEqual(lensesOf(header), [0, 1]);
  assert.ok(viewIds(header).includes('changes') && !viewIds(header).includes('top'));
  assert.equal(first.scale, 'shares');
  assert.equal(firstPlace({...header, difference: {normalized: false}}).scale, 'amounts');
  const place = {...first, scale: 'amounts', width: 'after'};
  assert.equal(writePlace(place, first), 'scale=amounts&width=after');
  assert.deepEqual(readPlace('#scale=amounts&width=after', first, header), place);
  assert.deepEqual(readPlace('#scale=x&width=9&view=top', first, header), first);
  assert.ok(!('scale' in requestOf(firstPlace({lens: 0, values: CPU}))));
});

test('a place is carried to the next profile of a session, but for the zoom', () => {
  const before = {lens: 0, values: CPU};
  const place = {...firstPlace(before), search: 'x', lens: 0, zoom: '1'};
  const after = {values: [CPU[1], CPU[0]]};
  assert.deepEqual(carryPlace(place, before, after), {...place, lens: 1, zoom: ''});
  assert.equal(carryPlace(place, before, {values: [CPU[1]]}).lens, 0);
});

test('the quality of a profile is told in words', () => {
  const quality = {engine: 'perf_events', samples: 1000, lost: 0, java_samples: 900, whole: 890, whole_share: 890 / 900, own_cpu_ns: 1e8};
  const of = (changes) => verdictOf({quality: {...quality, ...changes}});
  assert.deepEqual([of({}).word, of({}).isGood], ['Good profile', true]);
  assert.match(plain(of({lost: 100}).why), /^9\.09 % of the samples found no room/);
  assert.match(plain(of({whole_share: 0.5}).why), /^50\.0 % of the Java stacks miss frames/);
  assert.match(of({without_symbols: {'libz.so': 200}}).why, /debug symbols/);
  assert.match(of({samples: 20}).why, /chance/);
  assert.match(of({engine: ''}).word, /unknown/);
  assert.match(of({samples: 0}).word, /Nothing/);
  const phrases = phrasesOf({duration_ns: 10e9, quality: {...quality, gc_pauses: 2, gc_pause_ns: 5e6}}).map(([text]) => plain(text));
  assert.deepEqual(phrases, ['1,000 samples in 10.0 s', 'none lost', '98.9 % whole stacks', '2 GC pauses · 5.00 ms', 'cost 1.00 % of a CPU']);
});

test('only the bracketed words that a profile has are explained', () => {
  const words = bracketedWordsOf({names: ['[parked]', 'main', '[libx.so]'], header: {quality: {failures: {GC_active: 3}}}});
  assert.deepEqual(words.map(([word]) => word), ['[GC_active]', '[parked]']);
});

test('a name tells where its source may be', () => {
  assert.deepEqual(sourceOf('java/util/Map$Entry.getKey'), {class: 'java.util.Map$Entry', method: 'getKey', file: 'java/util/Map.java'});
  assert.deepEqual(sourceOf('my-app.core/handle!'), {class: 'my-app.core', method: 'handle!', file: 'my_app/core.clj'});
  assert.equal(sourceOf('__libc_send'), null);
  const link = sourceLink('vscode://file/src/{file}:{line}', 'a/B.c', 12);
  assert.equal(link, 'vscode://file/src/a/B.java:12');
  assert.equal(sourceLink('idea://open?class={class}&m={method}', 'a/B.<init>', 0), 'idea://open?class=a.B&m=%3Cinit%3E');
  assert.equal(sourceLink('javascript:alert(1)', 'a/B.c', 1), '');
  assert.ok(!isLinkTemplate('data:text/html,x') && !isLinkTemplate('') && isLinkTemplate('https://x/{file}'));
});

test('text is readable on every highlight, and these differ from each other', () => {
  for (const theme of ['light', 'dark']) {
    for (const palette of [makePalette(theme, ['java']), makeDifferencePalette(theme)]) {
      for (const colour of palette.highlights) assert.ok(contrast(colour, palette.text) >= 4.5, `${theme} ${colour}`);
      assert.equal(new Set(palette.highlights).size, palette.highlights.length);
    }
  }
});

test('words are readable on every surface of the page', () => {
  const rules = readFileSync(new URL('../../html/base.css', import.meta.url), 'utf8').match(/:root[^{]*\{[^}]*\}/g);
  assert.equal(rules.length, 2);
  for (const rule of rules) {
    const colours = Object.fromEntries([...rule.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, colour]) => [name, colour]));
    for (const ground of ['page', 'raised', 'sunken', 'share']) {
      for (const ink of ['text', 'quiet']) assert.ok(contrast(colours[ink], colours[ground]) >= 4.5, `${ink} on ${ground}, ${rule.slice(0, 30)}`);
    }
    for (const ground of ['page', 'raised']) {
      for (const ink of ['accent', 'grew', 'shrank']) assert.ok(contrast(colours[ink], colours[ground]) >= 4.5, `${ink} on ${ground}`);
    }
    for (const word of ['warn', 'good']) assert.ok(contrast(colours[word], colours[`${word}-back`]) >= 4.5, word);
  }
});

test('a strip of bars has all that the buckets have', () => {
  const sum = (column) => column.reduce((total, value) => total + value, 0);
  const buckets = Float64Array.from({length: 97}, (_, i) => i % 5);
  for (const bars of [1, 7, 97, 300]) assert.ok(Math.abs(sum(resample(buckets, bars)) - sum(buckets)) < 1e-6, bars);
  assert.deepEqual([...resample(Float64Array.of(4, 8), 4)], [2, 2, 4, 4]);
});
