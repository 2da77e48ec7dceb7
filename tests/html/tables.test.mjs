import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {Engine} from '../../html/model/trees/engine.js';
import {sandwich} from '../../html/model/trees/sandwich.js';
import {matchFrames, StackMatches} from '../../html/model/search.js';
import {lineTable, packageOf, packageTable, topTable} from '../../html/model/trees/tables.js';
import {finish} from '../../html/model/work.js';

import {listing, treeOf} from './derive.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';
import {
  applyPlainly, filterPlainly, listingPlainly, NAMES, plainStacks, profileColumns, randomStacks, STEP, sumsPlainly,
} from './plain_stacks.mjs';

const profileOf = (stacks) => decodePayload(encodePayload(profileColumns(stacks)));
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** A table in the form of sumsPlainly(). */
function sumsOf(entries, keyOf) { return new Map(entries.map((entry) => [keyOf(entry), {self: entry.self, total: entry.total}])); }

const sorted = (map) => [...map].sort(([a], [b]) => a < b ? -1 : 1);

test('methods have their own value, and each stack once', () => {
  for (const seed of SEEDS) {
    const stacks = randomStacks(seed);
    const filters = {labels: {thread: ['main', null]}};
    const table = finish(topTable(treeOf(profileOf(stacks), 1, {filters})));
    const plain = sumsPlainly(filterPlainly(plainStacks(stacks), filters), (names) => names, 1);
    assert.deepEqual(sorted(sumsOf(table, ({name}) => name)), sorted(plain));
  }
});

test('a table has the variances that its tree has', () => {
  const stacks = [{frames: [['a', KIND.jit], ['b', KIND.jit]], values: [4, 100]}, {frames: [['a', KIND.jit]], values: [1, 10]}];
  const table = finish(topTable(treeOf(decodePayload(encodePayload(columnsOf(stacks))), 1)));
  assert.deepEqual(table.map(({name, selfVariance, totalVariance}) => [name, selfVariance, totalVariance]), [['a', 100, 2600], ['b', 2500, 2500]]);
  const values = [{type: 'alloc_objects', unit: 'count'}, {type: 'alloc_space', unit: 'bytes'}];
  const [entry] = finish(topTable(treeOf(decodePayload(encodePayload(columnsOf(stacks, {values}))), 1)));
  assert.deepEqual([entry.selfVariance, entry.totalVariance], [null, null]);
});

test('packages and namespaces', () => {
  const cases = [
    ['java/util/List.add', KIND.jit, 'java.util'], ['java.util.List.add', KIND.jit, 'java.util'], ['a/B.c(Lx/y/Z;)V', KIND.jit, 'a'],
    ['clojure.core/map/fn--12', KIND.inlined, 'clojure.core'], ['clojure.core//', KIND.jit, 'clojure.core'], ['Main.main', KIND.jit, '[no package]'],
    ['java.lang.String', KIND.class, 'java.lang'], ['byte[]', KIND.class, '[no package]'], ['do_syscall', KIND.kernel, '[Kernel]'],
    ['malloc', KIND.native, '[Native]'], ['[parked]', KIND.marker, '[Off CPU]'], ['[main tid=1]', KIND.thread, '[Thread]'],
  ];
  for (const [name, kind, expected] of cases) assert.equal(packageOf(name, kind), expected, name);
  for (const seed of SEEDS) {
    const stacks = randomStacks(seed);
    const table = finish(packageTable(treeOf(profileOf(stacks), 0)));
    const plain = sumsPlainly(plainStacks(stacks), (names) => names.map((name) => packageOf(name, KIND.jit)));
    assert.deepEqual(sorted(sumsOf(table, ({name}) => name)), sorted(plain));
    const methods = new Set(stacks.flatMap(({frames}) => frames.map(([name]) => name)));
    assert.equal(table.reduce((sum, entry) => sum + entry.methods, 0), methods.size);
  }
});

test('lines of a method', () => {
  for (const seed of SEEDS) {
    const stacks = randomStacks(seed);
    const tree = treeOf(profileOf(stacks), 0, {parted: {lines: true}});
    for (const name of ['f', 'a/B.c']) {
      const plain = sumsPlainly(plainStacks(stacks), (_, stack) => stack.frames.map(([own, , line]) => `${own}:${line}`));
      const expected = sorted(plain).filter(([key]) => key.startsWith(`${name}:`));
      assert.deepEqual(sorted(sumsOf(finish(lineTable(tree, name)), ({line}) => `${name}:${line}`)), expected);
    }
  }
});

test('a sandwich has all callers above and all callees below a method', () => {
  for (const seed of SEEDS) {
    const stacks = randomStacks(seed);
    const filters = {time: {from_ns: STEP, to_ns: 4 * STEP}};
    const tree = treeOf(profileOf(stacks), 0, {filters});
    const plain = filterPlainly(plainStacks(stacks), filters);
    for (const name of NAMES) {
      const {callers, callees, self, total} = finish(sandwich(tree, name));
      assert.deepEqual(listing(callees), listingPlainly(applyPlainly(plain, [{type: 'keep-below', what: exactText(name)}])));
      const above = applyPlainly(plain, [{type: 'keep-above', what: exactText(name)}]).map(({names, stack}) => ({names: names.reverse(), stack}));
      assert.deepEqual(listing(callers), listingPlainly(above));
      const sums = sumsPlainly(plain, (names) => names).get(name) ?? {self: 0, total: 0};
      assert.deepEqual({self, total}, sums);
      assert.equal(callers.totals[callers.root], total);
    }
  }
});

const exactText = (name) => `/^${name.replace(/[$.*+?^/|()[\]{}]/g, '\\$&')}$/`;

test('the time strip shows the kept stacks of all times', () => {
  const stacks = randomStacks(9);
  const engine = new Engine(profileOf(stacks));
  const request = {lens: 1, filters: {labels: {thread: ['main']}, time: {from_ns: 0, to_ns: 1}}, transforms: [{type: 'remove', what: 'g'}]};
  const line = finish(engine.timeline(request));
  const plain = applyPlainly(filterPlainly(plainStacks(stacks), {labels: {thread: ['main']}}), request.transforms);
  const expected = [0, 1, 2, 3].map((time) => plain.filter(({stack}) => stack.time === time).reduce((sum, {stack}) => sum + stack.values[1], 0));
  assert.deepEqual({...line, totals: [...line.totals]}, {step_ns: STEP, count: 4, totals: expected});
  const timeless = decodePayload(encodePayload(columnsOf(stacks.map(({frames, values}) => ({frames, values})))));
  assert.equal(finish(new Engine(timeless).timeline({lens: 0})), null);
});

test('the time line is as long as the profile, also where the last samples came early', () => {
  const lineOf = (duration, count) => {
    const stacks = [{frames: [['main', KIND.jit]], values: [1, 1e6], time: count - 1}];
    const profile = decodePayload(encodePayload(columnsOf(stacks, {duration_ns: duration, time: {step_ns: STEP, count}})));
    const {count: steps, totals} = finish(new Engine(profile).timeline({lens: 0}));
    return [steps, totals.length];
  };
  assert.deepEqual(lineOf(2 * STEP, 1), [2, 2]);
  assert.deepEqual(lineOf(6.5 * STEP, 6), [7, 7]);
  // Of parts of the time.
  assert.deepEqual(lineOf(2 * STEP, 4), [4, 4]);
  for (const nonsense of [1e300, 'long', null, -1]) assert.deepEqual(lineOf(nonsense, 3), [3, 3], nonsense);
});

test('labels have their values, of all that other filters keep', () => {
  const stacks = randomStacks(10);
  const engine = new Engine(profileOf(stacks));
  const filters = {labels: {thread: ['main', 'worker 1']}, time: {from_ns: 0, to_ns: 2 * STEP}};
  const tables = finish(engine.labelTable({lens: 0, filters}));
  for (const {key, values} of tables) {
    const own = {...filters, labels: key === 'thread' ? {} : filters.labels};
    const plain = sumsPlainly(filterPlainly(plainStacks(stacks), own), (_, stack) => [JSON.stringify(stack.labels[key] ?? null)]);
    const expected = sorted(plain).map(([value, {total}]) => [value, total]);
    const actual = values.filter(({total}) => total > 0).map(({value, total}) => [JSON.stringify(value), total]);
    assert.deepEqual(actual.sort(([a], [b]) => a < b ? -1 : 1), expected);
    assert.ok(values.every(({total}, i) => i === 0 || values[i - 1].total >= total));
  }
  assert.deepEqual(tables.map(({key}) => key).sort(), ['bytes', 'state', 'thread']);
});

test('matches lead from one to the next, and round', () => {
  for (const seed of SEEDS) {
    const stacks = randomStacks(seed);
    const tree = treeOf(profileOf(stacks), 0, {filters: {labels: {thread: ['main']}}});
    const matches = finish(StackMatches.of(tree, matchFrames(tree.table, /^[fg]$/)));
    const expected = [];
    for (let node = 1, until = 0; node < tree.frames.length; node++) {
      if (node < until || !/^[fg]$/.test(tree.nameOf(node)) || tree.totals[node] === 0) continue;
      expected.push(node);
      until = tree.ends[node];
    }
    const round = (step) => {
      const found = [];
      for (let node = matches.next(0, step); node !== (found[0] ?? 0); node = matches.next(node, step)) found.push(node);
      return found;
    };
    assert.deepEqual(round(1), expected);
    assert.deepEqual(round(-1).reverse(), expected);
    const covered = expected.reduce((sum, node) => sum + tree.totals[node], 0);
    assert.equal(matches.value, covered);
  }
});
