import assert from 'node:assert/strict';
import {test} from 'node:test';

import {followFrames, pathTo, readPath, writePath} from '../../html/model/trees/call_tree.js';
import {decodePayload} from '../../html/model/data/decode.js';

import {listing, treeOf, turnedOver} from './derive.mjs';
import {forest, service} from './examples.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

const {jit} = KIND;

/** Stacks as text, `a;b;c 3`; the second value is a thousand times the first. */
function profileOf(...lines) {
  const stacks = lines.map((line) => {
    const [, frames, count] = line.match(/^(.*) (\d+)$/);
    return {frames: frames.split(';').map((name) => [name, jit]), values: [Number(count), 1000 * count]};
  });
  return decodePayload(encodePayload(columnsOf(stacks)));
}

test('totals are of a node and all below it, children in the order of names', () => {
  const tree = treeOf(profileOf('m;b;x 1', 'm;a 2', 'm;b 4', 'm;b;y;z 8', 'k 16'));
  assert.deepEqual(listing(tree), ['k 16', 'm 15', 'm;a 2', 'm;b 13', 'm;b;x 1', 'm;b;y 8', 'm;b;y;z 8']);
  assert.equal(tree.totals[tree.root], 31);
});

test('another value type gives other totals of the same tree', () => {
  const tree = treeOf(profileOf('m;a 2', 'm 1'), 1);
  assert.deepEqual(listing(tree), ['m 3000', 'm;a 2000']);
});

test('a path of frames leads to its node, or as far as there is one', () => {
  const tree = treeOf(profileOf('m;b;x 1', 'm;a;x 2'));
  for (let node = 0; node < tree.frames.length; node++) {
    const frames = pathTo(tree, node).map((step) => tree.frames[step]);
    assert.equal(followFrames(tree, frames), node);
    assert.equal(readPath(tree, writePath(tree, node)), node);
  }
  assert.equal(followFrames(tree, [9999]), tree.root);
});

test('the caller tree starts from the frames that ran and merges their callers', () => {
  const tree = turnedOver(treeOf(profileOf('m;a;x 1', 'm;b;x 2', 'm;a;x;y 4', 'n;a;x 8', 'x 16')));
  assert.deepEqual(listing(tree), [
    'x 27',
    'x;a 9',
    'x;a;m 1',
    'x;a;n 8',
    'x;b 2',
    'x;b;m 2',
    'y 4',
    'y;x 4',
    'y;x;a 4',
    'y;x;a;m 4',
  ]);
  assert.equal(tree.totals[tree.root], 31);
});

test('recursion stays a chain of callers', () => {
  const tree = turnedOver(treeOf(profileOf('m;f;f;f 1', 'm;f 2')));
  assert.deepEqual(listing(tree), ['f 3', 'f;f 1', 'f;f;f 1', 'f;f;f;m 1', 'f;m 2']);
});

test('children are made when somebody looks at them', () => {
  const tree = turnedOver(treeOf(profileOf('m;a;x 1', 'm;b;y 2')));
  const made = () => tree.nodes.parents.length;
  assert.equal(made(), 3);
  const x = tree.firstChild(tree.root);
  tree.firstChild(x);
  assert.equal(made(), 4);
  tree.firstChild(x);
  assert.equal(made(), 4);
});

/** The caller tree by the plain way: every stack turned over and merged in maps. */
function turnedOverPlainly(tree) {
  const sums = new Map();
  for (let node = 1; node < tree.frames.length; node++) {
    if (tree.selfAt(node) === 0) continue;
    let path = '';
    for (let at = node; at !== 0; at = tree.parents[at]) {
      path += (path && ';') + tree.nameOf(at);
      sums.set(path, (sums.get(path) ?? 0) + tree.selfAt(node));
    }
  }
  return [...sums].map(([path, total]) => `${path} ${total}`).sort();
}

for (const [name, columns] of [['a service', service()], ['a random forest', forest(400, 3)]]) {
  test(`the caller tree of ${name} equals the tree of reversed stacks`, () => {
    const tree = treeOf(decodePayload(encodePayload(columns)));
    const merged = new Map();
    for (const line of listing(turnedOver(tree))) {
      const at = line.lastIndexOf(' ');
      const path = line.slice(0, at);
      merged.set(path, (merged.get(path) ?? 0) + Number(line.slice(at + 1)));
    }
    assert.deepEqual([...merged].map(([path, total]) => `${path} ${total}`).sort(), turnedOverPlainly(tree));
  });
}
