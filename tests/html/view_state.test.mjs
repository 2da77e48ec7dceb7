// A reader's place as an address and as a request to the engine; and a page's text about a profile and its sources.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {
  carryViewState,
  firstViewState,
  isGroupedBy,
  isNarrowed,
  lensesOf,
  MOST_HIGHLIGHTS,
  readViewState,
  requestOf,
  viewIds,
  withoutRepeatedGroups,
  writeViewState
} from '../../html/model/view_state.js';
import {bracketedWordsOf, phrasesOf, verdictOf} from '../../html/model/text/quality.js';
import {sampledOf} from '../../html/model/trees/sampled.js';
import {isLinkTemplate, sourceLink, sourceOf} from '../../html/model/text/source.js';
import {contrast, makeDifferencePalette, makePalette} from '../../html/view/graph/colours.js';
import {resample} from '../../html/view/bars.js';

import {differenceOf} from './examples.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

const plain = (text) => text.replaceAll('\u00a0', ' ');
const CPU = [{type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds'}];

test('a place survives the address', () => {
  const header = {lens: 1, values: CPU, labels: [{key: 'thread'}, {key: 'tid', unit: ''}], view: {reverse: false, inverted: true, minwidth: 0}};
  const first = firstViewState(header);
  assert.equal(writeViewState(first, first), '');
  const place = {
    view: 'sandwich',
    lens: 0,
    icicle: false,
    byWidth: true,
    panel: true,
    lines: true,
    kinds: false,
    trunk: true,
    tiers: true,
    ends: ['kernel', 'stub'],
    search: 'a&b=#c d+é',
    highlights: ['x|y', '^é'],
    transforms: [{type: 'replace', what: '/a(b)/', replacement: '$1;', enabled: false}],
    labels: {thread: ['a, "b"', null], tid: [17]},
    time: [20e6, 4e9],
    method: 'a.b/c',
    sort: '-total',
    zoom: '3.0.~made%20up',
  };
  assert.deepEqual(readViewState('#' + writeViewState(place, first), first, header), place);
});

test('an invalid address shows the first view', () => {
  const header = {lens: 9, values: [CPU[0]], view: null};
  const first = firstViewState(header);
  assert.equal(first.lens, 0);
  const nonsense = [
    '#value=7', '#value=-1', '#value=0.5', '#%%%', '#view=nowhere', '#time=9-3', '#time=x', '#labels=[1]', '#labels={"a":3}', '#labels={"a":["b"]}',
    '#transforms={"type":"hide"}', '#transforms=[{"what":"x"}]', '#transforms=[{"type":"hide","what":3}]', '#highlights=[3]', '#highlights=[""]', '#highlights=x', '#ends=["nowhere"]', '#ends=java', '#idle=0',
  ];
  for (const fragment of nonsense) assert.deepEqual(readViewState(fragment, first, header), first, fragment);
});

test('the page opens with the options of the profile', () => {
  const view = {reverse: true, inverted: true, sort: 'width', highlights: ['a.b', '/x+/']};
  const first = firstViewState({lens: 1, values: CPU, view, transforms: [{type: 'merge-similar'}]});
  assert.deepEqual([first.view, first.icicle, first.byWidth], ['callers', true, true]);
  assert.deepEqual(first.highlights, ['a\\.b', '/x+/']);
  assert.deepEqual(requestOf(first).transforms, [{type: 'merge-similar'}]);
  assert.ok(isNarrowed(first));
  const many = Array.from('abcdefgh');
  assert.equal(firstViewState({lens: 1, values: CPU, view: {highlights: many}}).highlights.length, MOST_HIGHLIGHTS);
  assert.equal(readViewState(`highlights=${JSON.stringify(many)}`, first, {values: CPU}).highlights.length, MOST_HIGHLIGHTS);
});

test('disabled and empty settings are not passed to the engine', () => {
  const first = firstViewState({lens: 1, values: CPU});
  const place = {...first, labels: {thread: [], state: ['x']}, time: [0, 5], transforms: [{type: 'hide', what: 'x', enabled: false}]};
  assert.deepEqual(requestOf(place), {lens: 1, filters: {labels: {state: ['x']}, time: {from_ns: 0, to_ns: 5}}, transforms: [], parted: {lines: false, kinds: false}});
  assert.ok(isNarrowed(place));
  assert.ok(!isNarrowed({...place, labels: {thread: []}, time: null}));
  assert.deepEqual(requestOf({...place, ends: ['java']}).filters.ends, ['java']);
  assert.ok(isNarrowed({...first, ends: ['java']}));
});

test('wall-clock time opens on time, without idle threads', () => {
  const header = {event: 'wall', lens: 0, values: [CPU[0], {type: 'wall', unit: 'nanoseconds'}]};
  const first = firstViewState(header);
  assert.equal(first.lens, 1);
  assert.equal(first.idle, false);
  assert.equal(requestOf(first).busy, true);
  assert.equal(writeViewState(first, first), '');
  const read = (fragment) => readViewState(fragment, first, header);
  assert.deepEqual(read(''), first);
  for (const idle of [false, true]) {
    const place = {...first, view: 'top', idle};
    assert.deepEqual(read(writeViewState(place, first)), place);
  }
  // Links of pages that showed idle threads always.
  assert.equal(read('#view=top').idle, true);
  assert.equal('idle' in firstViewState({lens: 1, values: CPU}), false);
});

test('the samples of several events are not summed up', () => {
  const header = {lens: 0, values: [{type: 'samples'}, {type: 'cpu'}, {type: 'wall'}]};
  assert.deepEqual(lensesOf(header), [1, 2]);
  const first = firstViewState(header);
  assert.equal(first.lens, 1);
  assert.equal(firstViewState({...header, lens: 2}).lens, 2);
  assert.equal(readViewState('#value=0', first, header).lens, 1);
  assert.equal(readViewState('#value=2', first, header).lens, 2);
  assert.deepEqual(lensesOf({values: [{type: 'samples'}, {type: 'cpu'}]}), [0, 1]);
  assert.equal(firstViewState({lens: 0, values: []}).lens, 0);
});

test('an address has the settings of a difference', () => {
  const {header} = differenceOf([['a', 1, 2]]);
  const first = firstViewState(header);
  assert.deepEqual(lensesOf(header), [0, 1]);
  assert.ok(viewIds(header).includes('changes') && !viewIds(header).includes('top'));
  assert.equal(first.scale, 'shares');
  assert.equal(firstViewState({...header, difference: {normalized: false}}).scale, 'amounts');
  const place = {...first, scale: 'amounts', width: 'after'};
  assert.equal(writeViewState(place, first), 'scale=amounts&width=after');
  assert.deepEqual(readViewState('#scale=amounts&width=after', first, header), place);
  assert.deepEqual(readViewState('#scale=x&width=9&view=top', first, header), first);
  assert.ok(!('scale' in requestOf(firstViewState({lens: 0, values: CPU}))));
});

test('a place is carried to the next profile of a session, but for the zoom', () => {
  const before = {lens: 0, values: CPU};
  const place = {...firstViewState(before), search: 'x', lens: 0, zoom: '1'};
  const after = {values: [CPU[1], CPU[0]]};
  assert.deepEqual(carryViewState(place, before, after), {...place, lens: 1, zoom: ''});
  assert.equal(carryViewState(place, before, {values: [CPU[1]]}).lens, 0);
});

test('groups by one label are one group', () => {
  const group = (what, enabled = true) => ({type: 'group', what, enabled});
  const hide = {type: 'hide', what: 'x'};
  assert.deepEqual(withoutRepeatedGroups([group('thread'), hide, group('state'), group('thread'), hide]), [group('thread'), hide, group('state'), hide]);
  // Groups without a chosen label.
  assert.equal(withoutRepeatedGroups([group(''), group('')]).length, 2);
  const first = firstViewState({lens: 0, values: CPU});
  const twice = `#transforms=${encodeURIComponent(JSON.stringify([group('thread'), group('thread')]))}`;
  const place = readViewState(twice, first, {values: CPU});
  assert.deepEqual(place.transforms, [group('thread')]);
  assert.deepEqual(['thread', 'state'].map((key) => isGroupedBy(place, key)), [true, false]);
  assert.ok(!isGroupedBy({transforms: [group('thread', false)]}, 'thread'));
});

/** 35 CPU samples among 1,550 of wall time, 40 allocations of one weight, and an allocation that was met for sure. */
function profileOfSeveral() {
  const values = [
    {type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds', interval: 10e6}, {type: 'wall', unit: 'nanoseconds', interval: 50e6},
    {type: 'alloc_objects', unit: 'count'}, {type: 'alloc_space', unit: 'bytes', interval: 512 << 10, deviations: true}
  ];
  const rows = [
    {label: {}, values: [20, 200e6, 0, 0, 0, 0]}, {label: {}, values: [15, 150e6, 0, 0, 0, 0]},
    {label: {state: 'parked'}, values: [1550, 0, 77e9, 0, 0, 0]}, {label: {}, values: [0, 0, 0, 4000, 40e6, Math.sqrt(40) * 1e6]}
  ];
  const stacks = rows.map(({label, values: numbers}, i) => ({frames: [['main', KIND.jit], [`a/B.m${i}`, KIND.jit]], labels: label, values: numbers}));
  const quality = {engine: 'perf_events', samples: 1809, lost: 0, java_samples: 1809, whole: 1809, whole_share: 1};
  return decodePayload(encodePayload(columnsOf(stacks, {values, interval: 512 << 10, duration_ns: 10e9, quality})));
}

test('the quality is that of the value that is shown, not of all events together', () => {
  const profile = profileOfSeveral();
  const shown = (lens) => {
    const sampled = sampledOf(profile, lens);
    const {word, why} = verdictOf(profile.header, sampled);
    return [word, plain(why), plain(phrasesOf(profile.header, sampled)[0][0])];
  };
  assert.deepEqual(shown(1), [
    'Read with care', '35 CPU samples in 10.0 s, small shares may be chance: use -i 1ms or a longer run.', 'none lost'
  ]);
  assert.deepEqual(shown(2), ['Good profile', 'No samples lost, all stacks complete.', '1,550 wall clock samples in 10.0 s']);
  for (const lens of [3, 4]) {
    assert.deepEqual(shown(lens), [
      'Read with care', 'About 40 allocation samples in 10.0 s, small shares may be chance: use --alloc 64k or a longer run.', 'none lost'
    ]);
  }
});

test('a value without samples is marked while others have some', () => {
  const values = [{type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds'}, {type: 'wall', unit: 'nanoseconds'}];
  const stacks = [{frames: [['main', KIND.jit]], values: [500, 0, 5e9]}];
  const profile = decodePayload(encodePayload(columnsOf(stacks, {values, quality: {engine: 'perf_events', samples: 500}})));
  const verdict = verdictOf(profile.header, sampledOf(profile, 1));
  assert.deepEqual([verdict.word, verdict.why], ['No samples', 'No CPU samples; the other values have 500.']);
});

test('each side of a difference is judged by its own samples of the value', () => {
  const profile = decodePayload(encodePayload(differenceOf([['a', 30, 700]])));
  const {sides} = profile.header.difference;
  assert.deepEqual([1, 3].map((lens, i) => sampledOf(profile, lens, sides[i]).samples), [30, 700]);
});

test('the quality of a profile is described in words', () => {
  const quality = {engine: 'perf_events', samples: 1000, lost: 0, java_samples: 900, whole: 890, whole_share: 890 / 900, own_cpu_ns: 1e8};
  const sampledOf = ({samples}) => ({samples, isEstimate: false, isOfSeveral: false, event: 'CPU', every: {unit: 'nanoseconds', interval: 1e6}});
  const of = (changes) => verdictOf({quality: {...quality, ...changes}}, sampledOf({...quality, ...changes}));
  assert.deepEqual([of({}).word, of({}).isGood], ['Good profile', true]);
  assert.match(plain(of({lost: 100}).why), /^9\.09 % of the samples were lost/);
  assert.match(plain(of({whole_share: 0.5}).why), /^50\.0 % of the Java stacks are incomplete/);
  assert.match(of({without_symbols: {'libz.so': 200}}).why, /debug symbols/);
  assert.equal(of({samples: 20}).why, '20 CPU samples, small shares may be chance: use a longer run.');
  assert.equal(of({lost: 1}).why, 'Almost no samples lost, nearly all stacks complete.');
  assert.match(of({engine: ''}).word, /unknown/);
  assert.match(of({samples: 0}).word, /No samples/);
  const phrases = phrasesOf({duration_ns: 10e9, quality: {...quality, gc_pauses: 2, gc_pause_ns: 5e6}}, sampledOf(quality)).map(([text]) => plain(text));
  assert.deepEqual(phrases, ['1,000 samples in 10.0 s', 'none lost', '98.9 % complete stacks', '2 GC pauses · 5.00 ms', 'overhead 1.00 % of a CPU']);
});

test('only the bracketed words that a profile has are explained', () => {
  const words = bracketedWordsOf({names: ['[parked]', 'main', '[libx.so]'], header: {quality: {failures: {GC_active: 3}}}});
  assert.deepEqual(words.map(([word]) => word), ['[GC_active]', '[parked]']);
});

test('a name leads to its source file', () => {
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
