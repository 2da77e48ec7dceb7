import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {
  families,
  familiesOfFrames,
  familyOf,
  hasPackage,
  isClojureName,
  isHatched,
  plainFamily,
  sharesOfKinds
} from '../../html/model/data/kinds.js';
import {fitLabel as fitLabelOf} from '../../html/model/text/labels.js';
import {eventTexts, formatBytes, formatDuration, formatShare, formatValue, lensName} from '../../html/model/text/numbers.js';
import {finish} from '../../html/model/work.js';
import {BRACKETED_WORDS, explain} from '../../html/model/text/words.js';
import {colourOfFamily, contrast, makePalette, shadeIndex, THEMES} from '../../html/view/graph/colours.js';

import {treeOf} from './derive.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

const plain = (text) => text.replaceAll('\u00a0', ' ');

test('durations have three digits that count', () => {
  const shown = [0, 7, 999, 1000, 999_400, 999_600, 45_600_000, 1.234e9, 59.94e9, 125e9, 3723e9].map(
      (ns) => plain(formatDuration(ns)));
  assert.deepEqual(shown, [
    '0 s', '7 ns', '999 ns', '1.00 µs', '999 µs', '1.00 ms', '45.6 ms', '1.23 s', '59.9 s', '2 min 05 s', '1 h 02 min'
  ]);
});

test('bytes and counts', () => {
  assert.deepEqual(
      [0, 1, 999, 12_345_678, 1e12].map((bytes) => plain(formatBytes(bytes))),
      ['0 B', '1 B', '999 B', '12.3 MB', '1.00 TB']);
  assert.equal(plain(formatValue(1234, {type: 'samples', unit: 'count'})), '1,234 samples');
  assert.equal(plain(formatValue(1, {type: 'samples', unit: 'count'})), '1 sample');
  assert.equal(plain(formatValue(5, {type: 'cache-misses', unit: 'count'})), '5 cache-misses');
  assert.equal(plain(formatValue(1.5e9, {type: 'cpu', unit: 'nanoseconds'})), '1.50 s');
  assert.equal(lensName({type: 'alloc_space', unit: 'bytes'}), 'bytes');
});

test('each event has its own interval', () => {
  const samples = {type: 'samples', unit: 'count'};
  const time = (type, interval) => ({type, unit: 'nanoseconds', interval});
  const shown = (header) => eventTexts(header).map(plain);
  assert.deepEqual(
      shown({event: 'ctimer, wall', interval: 50e6, values: [samples, time('cpu', 10e6), time('wall', 50e6)]}),
      ['ctimer every 10.0 ms', 'wall every 50.0 ms']);
  assert.deepEqual(shown({event: 'cpu', interval: 1e6, values: [samples, time('cpu')]}), ['cpu every 1.00 ms']);
  const bytes = (type) => ({type, unit: 'bytes', interval: 512 << 10});
  const values = [samples, time('cpu', 10e6), bytes('alloc_space'), bytes('inuse_space')];
  assert.deepEqual(
      shown({event: 'cpu, alloc, live', interval: 512 << 10, values}),
      ['cpu every 10.0 ms', 'alloc, live every 512 KiB']);
  assert.deepEqual(shown({event: '', interval: 1e6, values: []}), []);
});

test('shares never claim all or nothing when it is not', () => {
  const shown = [[0, 10], [10, 10], [9999, 10000], [1, 3], [1, 80], [1, 9000], [1, 1e9], [1, 0]].map(
      ([part, whole]) => plain(formatShare(part, whole)));
  assert.deepEqual(shown, ['0 %', '100 %', '99.9 %', '33.3 %', '1.25 %', '0.011 %', '< 0.001 %', '0 %']);
});

test('Clojure is distinguished from Java by names', () => {
  for (const name
           of ['clojure.core/map', 'user/eval123/fn--456', 'my.ns/->thing*', 'clojure.core//',
               'clojure.core/map(Object)']) {
    assert.ok(isClojureName(name), name);
  }
  for (const name
           of ['java/lang/String.indexOf', 'Main.main', 'a/B$$Lambda$14/0x00.apply', 'java.lang.String.indexOf', '/x',
               'f(a/b)']) {
    assert.ok(!isClojureName(name), name);
  }
  assert.equal(families()[familyOf(KIND.jit, 'clojure.core/map')].id, 'clojure');
  assert.equal(families()[familyOf(KIND.native, 'lib/x')].id, 'native');
  assert.equal(families()[familyOf(99, 'of a later version')].id, 'native');
});

test("the legend counts each kind's self value, and leaves out missing kinds", () => {
  const stacks = [
    {frames: [['main', KIND.native], ['a/B.c', KIND.jit]], values: [3, 0]},
    {frames: [['main', KIND.native], ['a.b/c', KIND.jit]], values: [4, 0]},
  ];
  const tree = treeOf(decodePayload(encodePayload(columnsOf(stacks))));
  const selfs = finish(tree.selfOfFamilies(familiesOfFrames(tree.table)));
  const shown = families().flatMap(({id}, i) => Number.isNaN(selfs[i]) ? [] : [`${id} ${selfs[i]}`]);
  assert.deepEqual(shown, ['clojure 4', 'java 3', 'native 0']);
});

test('without kinds of compilation there are six kinds of code', () => {
  const ofCode = families().filter(({kind}) => kind <= KIND.stub).map((_, i) => families()[plainFamily(i)].id);
  assert.deepEqual([...new Set(ofCode)], ['clojure', 'java', 'cpp', 'native', 'kernel', 'stub']);
});

test('wait reasons differ from stacks that could not be walked', () => {
  const idOf = (name) => families()[familyOf(KIND.marker, name)].id;
  for (const name of ['[parked]', '[waiting]', '[sleeping]', '[socket]', '[runnable]']) assert.equal(idOf(name), 'state');
  for (const name of ['[unknown_Java]', '[lost]', '[unsampled]']) assert.equal(idOf(name), 'marker');
  for (const name of ['[holds com.acme.Store]', '[unknown_holder]', '[deadlock]']) assert.equal(idOf(name), 'holder');
  for (const name of ['[wakes java.util.concurrent.Semaphore$NonfairSync]', '[unknown_waker]']) assert.equal(idOf(name), 'waker');
  assert.equal(idOf('[virtual_thread]'), 'virtual');
  assert.ok(isHatched(familyOf(KIND.marker, '[lost]')));
  assert.ok(!isHatched(familyOf(KIND.marker, '[parked]')));
  // Only markers: a library may have any name.
  assert.equal(families()[familyOf(KIND.native, '[file]')].id, 'native');
});

test('a native name has no package to lose', () => {
  const native = (name, room) => fitLabelOf(name, room, hasPackage(KIND.native));
  assert.equal(native('finish_task_switch.isra.0_[k]', 12), 'finish_task…');
  assert.equal(native('finish_task_switch.isra.0_[k]', 3), '');
  assert.equal(native('libz.so.1', 5), 'libz…');
  assert.equal(native('all \u00b7 12.3 s', 6), 'all \u00b7…');
  assert.equal(fitLabelOf('java.lang.String', 8, hasPackage(KIND.class)), 'String');
});

test('a narrow frame keeps the end of its name', () => {
  const fitLabel = (name, room) => fitLabelOf(name, room, true);
  const jackson = 'com/fasterxml/jackson/core/json/ReaderBasedJsonParser.nextToken';
  assert.equal(fitLabel(jackson, 100), jackson);
  assert.equal(fitLabel(jackson, 40), 'json/ReaderBasedJsonParser.nextToken');
  assert.equal(fitLabel(jackson, 33), 'ReaderBasedJsonParser.nextToken');
  assert.equal(fitLabel(jackson, 12), 'nextToken');
  assert.equal(fitLabel(jackson, 7), 'nextTo…');
  assert.equal(fitLabel(jackson, 3), '');
  assert.equal(fitLabel('get', 3), 'get');
  assert.equal(fitLabel('cheshire.parse/parse*', 10), 'parse*');
  assert.equal(fitLabel('clojure.core//', 13), '/');
  assert.equal(fitLabel('user/eval1/fn--4711', 15), 'eval1/fn--4711');
  assert.equal(fitLabel('user/handler/fn--4711', 12), 'handler/fn-…');
  assert.equal(fitLabel('java.lang.String.indexOf', 16), 'String.indexOf');
  assert.equal(fitLabel('G1ParTask::work(unsigned int)', 20), 'G1ParTask::work');
  assert.equal(fitLabel('a::b<c::d>::run(int)', 12), 'b<c::d>::run');
  assert.equal(fitLabel('a::b<c::d>::run(int)', 5), 'run');
  assert.equal(fitLabel('(anonymous namespace)::Walk::step()', 10), 'Walk::step');
  assert.equal(fitLabel('[unknown_Java]', 9), '[unknown…');
});

test('a hidden class loses the number that the JVM gave it first', () => {
  const fitLabel = (name, room) => fitLabelOf(name, room, true);
  for (const name of ['Shop$$Lambda$33.0x00007fc68c013000.run', 'Shop$$Lambda/0x00007fc68c013000.run', 'Shop$$Lambda+0x00007fc68c013000.run', 'Shop$$Lambda$33.run']) {
    assert.equal(fitLabel(name, 18), name.length <= 18 ? name : 'Shop$$Lambda.run', name);
    assert.equal(fitLabel(name, 16), 'Shop$$Lambda.run', name);
    assert.equal(fitLabel(name, 9), 'run', name);
  }
  assert.equal(fitLabel('a/b/Shop$$Lambda$14/0x00.apply', 19), 'Shop$$Lambda.apply');
  assert.equal(fitLabel('java/lang/invoke/LambdaForm$MH.0x00007f1c2c00a400.invoke', 40), 'java/lang/invoke/LambdaForm$MH.invoke');
  // Digits that somebody wrote.
  assert.equal(fitLabel('a.b/parse-0x10', 11), 'parse-0x10');
});

test('text has a contrast of 4.5 or more on every colour of both themes', () => {
  for (const theme of Object.keys(THEMES)) {
    const palette = makePalette(theme, families().map((family) => family.id));
    const colours = [...palette.plain, ...palette.faded, ...palette.match, palette.root];
    for (const colour of colours) {
      const ratio = contrast(palette.text, colour);
      assert.ok(ratio >= 4.5, `${theme}: ${palette.text} on ${colour} has ${ratio.toFixed(2)}`);
    }
    for (let i = 0; i < palette.plain.length; i++) assert.notEqual(palette.plain[i], palette.match[i]);
  }
});

test('kinds have different colours in both themes', () => {
  // In OKLab, where a difference of 0.02 is just seen. The legend's shade represents a family.
  const NOTICEABLE = 0.03;
  for (const theme of Object.keys(THEMES)) {
    const ids = families().map((family) => family.id);
    const palette = makePalette(theme, ids);
    const colours = ids.map((_, family) => oklab(colourOfFamily(palette, family)));
    for (let i = 0; i < ids.length; i++) {
      for (let j = 0; j < i; j++) {
        const difference = Math.hypot(...colours[i].map((part, axis) => part - colours[j][axis]));
        assert.ok(difference >= NOTICEABLE, `${theme}: ${ids[j]} and ${ids[i]} differ by ${difference.toFixed(3)}`);
      }
    }
  }
});

function oklab(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

test('a method that ran in several ways has a share for each', () => {
  const {interpreted, c1, jit, inlined, native, cpp} = KIND;
  const parts = [{kind: interpreted, total: 10}, {kind: c1, total: 30}, {kind: jit, total: 60}, {kind: inlined, total: 0}];
  assert.deepEqual(sharesOfKinds(parts), [
    {word: 'C2', share: 0.6}, {word: 'C1', share: 0.3}, {word: 'interpreted', share: 0.1}
  ]);
  assert.deepEqual(sharesOfKinds([{kind: native, total: 1}, {kind: cpp, total: 3}]).map(({word}) => word), ['C++', 'Native']);
  assert.deepEqual(sharesOfKinds([]), []);
});

test('one class has one shade', () => {
  assert.equal(shadeIndex(4, 'a/B.c'), shadeIndex(4, 'a/B.d'));
  const shades = new Set(Array.from({length: 64}, (_, i) => shadeIndex(4, `a/Class${i}.c`)));
  assert.deepEqual([...shades].sort(), [16, 17, 18, 19]);
});

test('every bracketed word is explained', () => {
  assert.ok(BRACKETED_WORDS.has('[lost]'));
  for (const [word, meaning] of BRACKETED_WORDS) {
    assert.match(word, /^\[[\w ]+\]$/);
    assert.ok(meaning.endsWith('.'));
  }
  assert.equal(explain('main'), '');
});
