import assert from 'node:assert/strict';
import {test} from 'node:test';

import {boundOfShare, variancesOf} from '../../html/model/bounds.js';
import {CallTree} from '../../html/model/call_tree.js';
import {CallerTree} from '../../html/model/caller_tree.js';
import {decodePayload} from '../../html/model/decode.js';

import {columnsOf, CPU_VALUES, encodePayload, KIND} from './make_page.mjs';

const INTERVAL = 512 * 1024;
const OBJECTS = 0;
const BYTES = 1;

/** Each stack: frames, objects, bytes. */
function allocations(stacks, values) {
  const columns = columnsOf(
      stacks.map(([frames, ...amounts]) => ({frames: frames.split(';').map((name) => [name, KIND.jit]), values: amounts})),
      {values, interval: 0});
  return decodePayload(encodePayload(columns));
}

const SAMPLED = [{type: 'alloc_objects', unit: 'count'}, {type: 'alloc_space', unit: 'bytes', interval: INTERVAL}];

test('nothing is known of time, and of allocations that were all recorded', () => {
  assert.equal(variancesOf(allocations([['a', 1, 10]], CPU_VALUES), 1), null);
  const exact = SAMPLED.map(({type, unit}) => ({type, unit}));
  assert.equal(variancesOf(allocations([['a', 1, 10]], exact), BYTES), null);
});

test('small objects are as uncertain as their samples, in either value', () => {
  const samples = 100;
  const site = [samples * INTERVAL / 16, samples * INTERVAL];
  const profile = allocations([['half;A', ...site], ['rest;A', ...site]], SAMPLED);
  for (const lens of [OBJECTS, BYTES]) {
    const tree = new CallTree(profile, lens);
    const amountAt = (node) => ({value: tree.totals[node], variance: tree.variances[node]});
    const bound = boundOfShare(amountAt(tree.firstChild(tree.root)), amountAt(tree.root));
    assert.ok(Math.abs(bound - 1.96 * 0.5 / Math.sqrt(2 * samples)) < 1e-5, `${bound}`);
    assert.equal(boundOfShare(amountAt(tree.root), amountAt(tree.root)), 0);
  }
});

test('huge objects are all met', () => {
  const profile = allocations([['a;A', 5, 200 * INTERVAL], ['b;A', 5, 200 * INTERVAL]], SAMPLED);
  const tree = new CallTree(profile, BYTES);
  assert.ok(tree.variances[tree.root] < 1e-6 * tree.totals[tree.root]);
});

test('where of those met only some were kept, that counts too, also when all were met', () => {
  const oneOf = 8;
  const kept = 100;
  const valuesOf = (interval) => [
    {type: 'inuse_objects', unit: 'count'}, {type: 'inuse_space', unit: 'bytes', interval, one_of: oneOf}];
  const varianceOf = (interval, size, lens) => {
    const chance = (interval === undefined ? 1 : -Math.expm1(-size / interval)) / oneOf;
    const objects = Math.round(kept / chance);
    const expected = objects * (1 - chance) / chance * (lens === BYTES ? size * size : 1);
    const {variances, root} = new CallTree(allocations([['a;A', objects, objects * size]], valuesOf(interval)), lens);
    return {found: variances[root], expected};
  };
  for (const lens of [OBJECTS, BYTES]) {
    for (const [interval, size] of [[INTERVAL, 4096], [INTERVAL, 40 * INTERVAL], [undefined, 64]]) {
      const {found, expected} = varianceOf(interval, size, lens);
      assert.ok(expected > 0 && Math.abs(found / expected - 1) < 1e-6, `${found} ${expected}`);
    }
  }
});

test('turned over, a frame is as uncertain as all places where it was', () => {
  const profile = allocations([['a;x', 1000, 16000], ['b;x', 500, 8000], ['b;y', 100, 90000], ['a;b;x', 1, 64]], SAMPLED);
  const callTree = new CallTree(profile, BYTES);
  const tree = new CallerTree(callTree);
  assert.equal(tree.variances[tree.root], callTree.variances[callTree.root]);
  const sumBelow = (node) => {
    let sum = 0;
    for (let child = tree.firstChild(node); child !== 0; child = tree.nextSibling(child)) sum += tree.variances[child];
    return sum;
  };
  const isNearly = (a, b) => Math.abs(a - b) < 1e-9 * b;
  assert.ok(isNearly(sumBelow(tree.root), tree.variances[tree.root]));
  const x = tree.firstChild(tree.root);
  assert.equal(profile.names[profile.frameNames[tree.frames[x]]], 'x');
  assert.ok(isNearly(sumBelow(x), tree.variances[x]));
});
