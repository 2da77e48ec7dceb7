import './inflate_for_old_node.mjs';

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {DataError, decodePayload} from '../../html/model/data/decode.js';
import {isAllNoise, strengthOf} from '../../html/model/trees/difference.js';
import {formatChange} from '../../html/model/text/numbers.js';
import {firstViewState} from '../../html/model/view_state.js';
import {compilePattern, matchFrames, StackMatches} from '../../html/model/search.js';
import {packageTable, topTable} from '../../html/model/trees/tables.js';
import {finish} from '../../html/model/work.js';
import {contrast, makeDifferencePalette} from '../../html/view/graph/colours.js';

import {treeOf as derived, turnedOver} from './derive.mjs';
import {differenceOf} from './examples.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

const LEAVES = [['a/hot', 100, 600], ['a/same', 800, 800], ['a/gone', 100, 0], ['a/fresh', 0, 600]];

function treeOf(leaves, place = {}, header = {}) {
  const profile = decodePayload(encodePayload(differenceOf(leaves, header)));
  return derived(profile, place.lens ?? 1, {...firstViewState(profile.header), ...place});
}

function nodeOf(tree, name) {
  return tree.frames.findIndex((_, node) => node > 0 && tree.nameOf(node) === name);
}

const near = (actual, expected, text) => assert.ok(Math.abs(actual - expected) < 1e-9, text ?? `${actual} is ${expected}`);

test('grown, shrunken, new and vanished frames, in shares', () => {
  const tree = treeOf(LEAVES);
  const changeOf = (name) => tree.totalChange(nodeOf(tree, name));
  near(changeOf('a/hot').change, 0.2);
  near(changeOf('a/same').change, -0.4);
  assert.deepEqual(['a/hot', 'a/same', 'a/gone', 'a/fresh', 'main'].map((name) => changeOf(name).word),
                   ['grew', 'shrank', 'vanished', 'new', 'same']);
  assert.equal(strengthOf(changeOf('main')), 0);
  assert.equal(strengthOf(changeOf('a/hot')), 4);
});

test('amounts are compared as they are', () => {
  const tree = treeOf(LEAVES, {scale: 'amounts'});
  const change = tree.totalChange(nodeOf(tree, 'a/hot'));
  near(change.change, 5e9);
  near(change.bound / 10e6, 1.96 * Math.sqrt(700 + 2), 'of the samples of both, and one more of each');
  assert.equal(tree.totalChange(nodeOf(tree, 'a/same')).word, 'same');
});

test('amounts of several runs or operations are those of one', () => {
  const {header} = treeOf(LEAVES).profile;
  const [before, after] = header.difference.sides;
  const difference = {...header.difference, sides: [{...before, divisor: 4}, {...after, divisor: 2}]};
  const tree = treeOf(LEAVES, {scale: 'amounts'}, {difference});
  const change = tree.totalChange(nodeOf(tree, 'a/hot'));
  near(change.before, 25 * 10e6);
  near(change.after, 300 * 10e6);
  near(change.bound / 10e6, 1.96 * Math.sqrt(101 / 16 + 601 / 4));
  assert.deepEqual(tree.amounts, [1000 * 10e6 / 4, 2000 * 10e6 / 2]);
  near(tree.totals[nodeOf(tree, 'a/hot')], 0.5 * (25 + 300) * 10e6);
  near(treeOf(LEAVES, {}, {difference}).totalChange(nodeOf(tree, 'a/hot')).change, 0.2);
});

// The same as agent/profile's tests of a difference.
test('few samples are chance', () => {
  const isNoise = (before, after) => {
    const tree = treeOf([['a', before, after], ['rest', 100000, 100000]]);
    return tree.totalChange(nodeOf(tree, 'a')).isNoise;
  };
  assert.deepEqual(
      [[0, 1], [0, 5], [0, 6], [9, 2], [10, 2], [100, 125], [100, 130]].map((pair) => isNoise(...pair)),
      [true, true, false, true, false, true, false]);
});

/** Each row: frame, thread, samples before and after, and the ms of each sample. */
function wallChange(rows, name) {
  const stacks = rows.map(([frame, thread, before, after, ms]) => ({
    frames: [['main', KIND.native], frame],
    labels: {thread},
    values: [before, before * ms * 1e6, after, after * ms * 1e6],
  }));
  const {header} = differenceOf(LEAVES);
  const wall = [{type: 'samples', unit: 'count'}, {type: 'wall', unit: 'nanoseconds'}];
  const profile = decodePayload(encodePayload(columnsOf(stacks, {values: [...wall, ...wall], difference: header.difference})));
  const tree = derived(profile, 1, firstViewState(profile.header));
  return finish(topTable(tree)).find((method) => method.name === name).self;
}

// The same as agent/profile's tests of a difference.
test('samples of different weight are as uncertain as each of them', () => {
  const work = wallChange([
    [['work', KIND.jit, 10], 'a', 100, 150, 10],
    [['work', KIND.jit, 20], 'a', 50, 50, 50],
    [['work', KIND.interpreted, 10], 'b', 4, 2, 500],
    [['rest', KIND.native], 'a', 200, 200, 10],
    [['rest', KIND.native], 'b', 10, 10, 500],
  ], 'work');
  near(work.change, -0.023333333333333);
  near(work.bound, 0.19694668085629);
});

test('long samples are no less chance', () => {
  const parked = wallChange([
    [['[parked]', KIND.marker], 'main', 24000, 24240, 50],
    [['work', KIND.jit], 'main', 24000, 23760, 50],
  ], '[parked]');
  near(parked.change, 0.005);
  near(parked.bound, 0.00632571333208);
  assert.ok(parked.isNoise);
});

test('the spread of several runs counts where it is wider than the sampling error', () => {
  // By run; each has 1,000 samples.
  const RUNS = {'a/jumps': [[100, 300], [500, 900]], 'a/steady': [[200, 200], [300, 300]]};
  const stacks = Object.entries(RUNS).flatMap(([name, sides]) => sides.flatMap((runs, side) => runs.map((samples, run) => {
    const mine = [samples, samples * 10e6];
    const row = {frames: [['main', KIND.jit], [name, KIND.jit]], labels: {run: `${['before', 'after'][side]} ${run + 1}`}};
    return {...row, values: side === 0 ? [...mine, 0, 0] : [0, 0, ...mine]};
  })));
  const {header} = treeOf(LEAVES).profile;
  const difference = {...header.difference, noise: 'runs', sides: header.difference.sides.map((side) => ({...side, runs: 2, divisor: 2}))};
  const profile = decodePayload(encodePayload(columnsOf(stacks, {values: header.values, difference})));
  const changeOf = (tree, name) => tree.totalChange(nodeOf(tree, name));
  const sightOf = (scale) => derived(profile, 1, {...firstViewState(profile.header), scale});

  const amounts = sightOf('amounts');
  const jumps = changeOf(amounts, 'a/jumps');
  near(jumps.change / 10e6, 500);
  // Means 200 and 700 with variances 100² and 200²: 1.471 degrees of freedom.
  const atFreedom = 12.706 + (1 - 1 / (50000 ** 2 / (10000 ** 2 + 40000 ** 2))) / (1 - 1 / 2) * (4.303 - 12.706);
  near(jumps.bound / 10e6 / 1e3, atFreedom * Math.sqrt(50000) / 1e3);
  assert.ok(jumps.isNoise, 'runs lie so far apart');
  const steady = changeOf(amounts, 'a/steady');
  near(steady.bound / 10e6, 1.96 * Math.sqrt((400 + 1) / 4 + (600 + 1) / 4), 'what samples leave open');
  assert.ok(!steady.isNoise);

  const shares = changeOf(sightOf('shares'), 'a/jumps');
  near(shares.before, 400 / 800);
  const [one, other] = [[100 / 300, 300 / 500], [500 / 800, 900 / 1200]].map(([a, b]) => ((a - b) / 2) ** 2);
  const freedom = (one + other) ** 2 / (one ** 2 + other ** 2);
  near(shares.bound, (12.706 + (1 - 1 / freedom) * 2 * (4.303 - 12.706)) * Math.sqrt(one + other));
  assert.deepEqual(finish(topTable(amounts)).find(({name}) => name === 'a/jumps').total, jumps, 'the table says the same');
  const turned = turnedOver(amounts);
  const node = turned.frames.findIndex((_, at) => at > 0 && turned.nameOf(at) === 'a/jumps');
  assert.deepEqual(amounts.totalChange(node, turned), jumps, 'and callers');
});

test('a frame is as wide as the mean of before and after, or as one of them', () => {
  const widthOf = (name, place) => {
    const tree = treeOf(LEAVES, place);
    return tree.totals[nodeOf(tree, name)] / tree.totals[0];
  };
  near(widthOf('a/gone'), 0.05);
  near(widthOf('a/hot'), 0.2);
  near(widthOf('a/hot', {width: 'before'}), 0.1);
  near(widthOf('a/hot', {width: 'after'}), 0.3);
  near(widthOf('a/gone', {width: 'after'}), 0);
  near(widthOf('a/hot', {scale: 'amounts'}), 700 / 3000);
});

test('turned over, callers know before and after, too', () => {
  const tree = treeOf([['x;leaf', 10, 300], ['y;leaf', 300, 300]]);
  const callers = turnedOver(tree);
  const leaf = callers.firstChild(0);
  near(tree.totalChange(leaf, callers).change, 0);
  const below = [callers.firstChild(leaf), callers.nextSibling(callers.firstChild(leaf))];
  near(tree.totalChange(below[0], callers).change, 0.5 - 10 / 310);
  near(tree.totalChange(below[1], callers).change, 0.5 - 300 / 310);
  assert.ok(!tree.totalChange(below[0], callers).isNoise);
});

test('a search shows before and after', () => {
  const tree = treeOf(LEAVES);
  const matches = finish(StackMatches.of(tree, matchFrames(tree.table, compilePattern('hot|fresh').regex)));
  const change = tree.changeOfMatches(matches);
  near(change.before, 0.1);
  near(change.after, 0.6);
});

test('methods are counted once a stack, whatever calls them', () => {
  const tree = treeOf([['r;r;r', 10, 100], ['q;r', 100, 100]], {scale: 'amounts', lens: 0});
  const methods = new Map(finish(topTable(tree)).map((method) => [method.name, method]));
  assert.deepEqual([...methods.keys()].sort(), ['main', 'q', 'r']);
  near(methods.get('r').total.change, 90);
  near(methods.get('r').self.change, 90);
  near(methods.get('q').self.change, 0);
  assert.ok(isAllNoise(methods.get('q')));
  assert.ok(!isAllNoise(methods.get('r')));
});

test('packages know before and after, too', () => {
  const tree = treeOf([['a.b/x;a.b/y', 100, 300], ['c.d/z', 100, 0]], {scale: 'amounts', lens: 0});
  const found = new Map(finish(packageTable(tree)).map((entry) => [entry.name, entry]));
  assert.equal(found.get('a.b').methods, 2);
  near(found.get('a.b').total.change, 200);
  assert.equal(found.get('c.d').self.word, 'vanished');
});

test('without bounds every change counts', () => {
  const values = [{type: 'alloc_objects', unit: 'count'}, {type: 'alloc_space', unit: 'bytes'}];
  const tree = treeOf([['a', 10, 11]], {scale: 'amounts'}, {values: [...values, ...values]});
  const change = tree.totalChange(nodeOf(tree, 'a'));
  assert.equal(change.bound, null);
  assert.ok(!change.isNoise);
});

test('a difference with no two sides is refused', () => {
  const columns = differenceOf(LEAVES);
  for (const difference of [null, {}, {sides: []}, {sides: [{}]}, {sides: 'ab'}]) {
    assert.throws(() => decodePayload(encodePayload({...columns, header: {...columns.header, difference}})), DataError);
  }
  const header = {...columns.header, values: columns.header.values.slice(1)};
  assert.throws(() => decodePayload(encodePayload({...columns, header, values: columns.values.slice(1)})), DataError);
});

test('changes are spelled with their sign and their bound', () => {
  const plain = (text) => text.replaceAll('\u00a0', ' ');
  const seconds = {type: 'cpu', unit: 'nanoseconds'};
  assert.equal(plain(formatChange({change: 0.128, bound: 0.012}, null)), '+12.8 ± 1.2');
  assert.equal(plain(formatChange({change: -0.0021, bound: null}, null)), '−0.21');
  assert.equal(plain(formatChange({change: -1.2e9, bound: 3e8}, seconds)), '−1.20 s ± 300 ms');
  assert.equal(plain(formatChange({change: 0, bound: 0}, null)), '0 ± 0');
  const ofOne = (type, unit) => ({type, unit, isMean: true});
  assert.equal(plain(formatChange({change: 0.4, bound: 0.1}, ofOne('alloc_objects', 'count'))), '+0.4 objects ± 0.1 objects');
  assert.equal(plain(formatChange({change: 1.5, bound: 2}, ofOne('alloc_objects', 'count'))), '+1.50 objects ± 2 objects');
  assert.equal(plain(formatChange({change: -0.304, bound: 12.34}, ofOne('alloc_space', 'bytes'))), '−0.304 B ± 12.3 B');
  assert.equal(plain(formatChange({change: 1234.5, bound: 0.25}, ofOne('cpu', 'nanoseconds'))), '+1.23 µs ± 0.25 ns');
});

test('text is readable on every colour of a difference', () => {
  for (const theme of ['light', 'dark']) {
    const {plain, text, root, merged} = makeDifferencePalette(theme);
    for (const colour of [...plain, root, merged]) assert.ok(contrast(text, colour) >= 4.5, `${theme}: ${text} on ${colour}`);
  }
});
