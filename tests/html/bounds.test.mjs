import assert from 'node:assert/strict';
import {test} from 'node:test';

import {boundOfShare, rowVariances} from '../../html/model/trees/bounds.js';
import {decodePayload} from '../../html/model/data/decode.js';

import {treeOf, turnedOver} from './derive.mjs';
import {columnsOf, CPU_VALUES, encodePayload, KIND} from './make_page.mjs';

const OBJECTS = 0;
const BYTES = 1;

/** Each stack: frames, objects, bytes, and the deviation of the bytes. */
function allocations(stacks, values = SAMPLED) {
  return decodePayload(encodePayload(columnsOf(
      stacks.map(([frames, ...amounts]) => ({frames: frames.split(';').map((name) => [name, KIND.jit]), values: amounts})),
      {values, interval: 0})));
}

const SAMPLED =
    [{type: 'alloc_objects', unit: 'count'}, {type: 'alloc_space', unit: 'bytes', interval: 4096, deviations: true}];

test('nothing is known of values without deviations', () => {
  assert.equal(rowVariances(allocations([['a', 1, 10, 0]]), OBJECTS), null);
  assert.equal(treeOf(allocations([['a', 1, 10, 0]]), OBJECTS).variancesAt(0), null);
});

test('samples come by chance, and the time they stand for with them', () => {
  const profile = allocations([['a', 4, 100]], CPU_VALUES);
  assert.deepEqual([...rowVariances(profile, 0)], [4]);
  assert.deepEqual([...rowVariances(profile, 1)], [4 * 25 ** 2]);
});

test('the sample count of several events gives no bounds', () => {
  const values = [...CPU_VALUES, {type: 'wall', unit: 'nanoseconds'}];
  assert.equal(rowVariances(allocations([['a', 4, 100, 0]], values), 1), null);
});

test('a share of two equal parts is as uncertain as both of them, and all is sure to be all', () => {
  const profile = allocations([['half;A', 10, 1000, 100], ['rest;A', 10, 1000, 100]]);
  const tree = treeOf(profile, BYTES);
  const amountAt = (node) => ({value: tree.totals[node], variance: tree.variancesAt(node).total});
  const bound = boundOfShare(amountAt(tree.firstChild(tree.root)), amountAt(tree.root));
  assert.ok(Math.abs(bound - 1.96 * Math.sqrt(0.25 * 100 ** 2 + 0.25 * 100 ** 2) / 2000) < 1e-9, `${bound}`);
  assert.equal(boundOfShare(amountAt(tree.root), amountAt(tree.root)), 0);
});

test('turned over, a frame is as uncertain as all places where it was', () => {
  const profile = allocations([['a;x', 1000, 16000, 90], ['b;x', 500, 8000, 60], ['b;y', 100, 90000, 200], ['a;b;x', 1, 64, 8]]);
  const callTree = treeOf(profile, BYTES);
  const tree = turnedOver(callTree);
  assert.equal(tree.variancesAt(tree.root).total, callTree.variancesAt(callTree.root).total);
  const sumBelow = (node) => {
    let sum = 0;
    for (let child = tree.firstChild(node); child !== 0; child = tree.nextSibling(child)) sum += tree.variancesAt(child).total;
    return sum;
  };
  const isNearly = (a, b) => Math.abs(a - b) < 1e-9 * b;
  assert.ok(isNearly(sumBelow(tree.root), tree.variancesAt(tree.root).total));
  const x = tree.firstChild(tree.root);
  assert.equal(profile.names[profile.frameNames[tree.frames[x]]], 'x');
  assert.ok(isNearly(sumBelow(x), tree.variancesAt(x).total));
});
