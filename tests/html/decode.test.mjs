import './inflate_for_old_node.mjs';

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {DataError, decodePage, decodePayload} from '../../html/model/data/decode.js';

import {forest, service} from './examples.mjs';
import {columnsOf, encodePayload, KIND, packPayload} from './make_page.mjs';

const {jit, native} = KIND;
const TIME = {step_ns: 20e6, count: 500};
const LABELLED = [
  {frames: [['m', jit, 7], ['a', jit, 12]], values: [1, 10], labels: {thread: 'main', tid: 4}, time: 3},
  {frames: [['m', jit, 7], ['a', jit, 13]], values: [2, 20], labels: {thread: 'worker', tid: -5}},
  {frames: [['m', jit, 7], ['a', jit, 12]], values: [4, 40], time: 499},
  {frames: [['m', jit, 7], ['a', jit, 12]], values: [8, 80], labels: {thread: 'main', tid: 4}, time: 0},
];
const SMALL = [
  {frames: [['main', native], ['a/B.run', jit]], values: [2, 2000]},
  {frames: [['main', native], ['a/B.run', jit], ['a/B.übergeben', jit]], values: [1, 1000]},
  {frames: [['main', native], ['a/C.run', jit]], values: [4, 2 ** 52]},
];

test('a page decodes to its stacks', async () => {
  const profile = await decodePage(packPayload(encodePayload(columnsOf(SMALL))));
  assert.deepEqual(profile.names, ['a/B.run', 'a/B.übergeben', 'a/C.run', 'main']);
  const nameOf = (node) => profile.names[profile.frameNames[profile.frames[node]]];
  assert.deepEqual([1, 2, 3, 4].map(nameOf), ['main', 'a/B.run', 'a/B.übergeben', 'a/C.run']);
  assert.deepEqual([...profile.parents], [0, 0, 1, 2, 1]);
  assert.deepEqual([...profile.rowNodes], [2, 3, 4]);
  assert.deepEqual([...profile.valuesOf(0)], [2, 1, 4]);
  assert.deepEqual([...profile.valuesOf(1)], [2000, 1000, 2 ** 52]);
  assert.equal(profile.deviationsOf(1), null);
  assert.deepEqual([profile.rowSets, profile.rowTimes], [null, null]);
  assert.equal(profile.frameKinds[profile.frames[1]], native);
  assert.equal(profile.header.title, 'CPU profile');
});

test('rows have labels and a time, frames a line', () => {
  const profile = decodePayload(encodePayload(columnsOf(LABELLED, {time: TIME})));
  const setText = (set) => set.map(({label, value}) => `${profile.labels[label].key}=${JSON.stringify(value)}`).join(' ');
  assert.deepEqual(profile.labelSets.map(setText), ['', 'thread="main" tid=4', 'thread="worker" tid=-5']);
  assert.deepEqual(profile.labels.map(({isText}) => isText), [true, false]);
  const rowText = (node, row) =>
      `${profile.frameLines[profile.frames[node]]}: ${profile.rowSets[row]} ${profile.rowTimes[row]} ${profile.valuesOf(1)[row]}`;
  assert.deepEqual(Array.from(profile.rowNodes, rowText), ['12: 0 500 40', '12: 1 1 80', '12: 1 4 10', '13: 2 0 20']);
});

test('a profile without stacks has only its root', () => {
  const profile = decodePayload(encodePayload(columnsOf([])));
  assert.equal(profile.parents.length, 1);
  assert.equal(profile.valuesOf(1).length, 0);
});

test('every tree comes back as it was written', () => {
  const columns = forest(20000);
  const profile = decodePayload(encodePayload(columns));
  assert.equal(profile.parents.length, columns.ups.length + 1);
  assert.deepEqual([...profile.valuesOf(0)], columns.values[0]);
  assert.deepEqual(columns.rowCounts.flatMap((count, i) => count > 0 ? [i + 1] : []), [...profile.rowNodes]);
  assert.deepEqual([...profile.frames.subarray(1)], columns.nodeFrames);
  const depths = new Uint32Array(profile.parents.length);
  for (let node = 1; node < depths.length; node++) {
    depths[node] = depths[profile.parents[node]] + 1;
    const up = depths[node - 1] - (depths[node] - 1);
    if (up !== columns.ups[node - 1]) assert.fail(`node ${node} goes up ${up} and not ${columns.ups[node - 1]}`);
  }
});

test('values above 2^53 keep their size', () => {
  const [columns] = [columnsOf([{frames: [['main', native]], values: [1, 2 ** 62]}])];
  assert.equal(decodePayload(encodePayload(columns)).valuesOf(1)[0], 2 ** 62);
});

test('a payload that ends anywhere is refused, and never read beyond', () => {
  for (const payload of [encodePayload(columnsOf(SMALL)), encodePayload(columnsOf(LABELLED, {time: TIME}))]) cutAnywhere(payload);
});

function cutAnywhere(payload) {
  for (let length = 0; length < payload.length; length++) {
    assert.throws(() => decodePayload(payload.subarray(0, length)), DataError, `cut after ${length} bytes`);
  }
}

test('any changed byte is refused or read, and nothing else', () => {
  for (const payload of [encodePayload(columnsOf(SMALL)), encodePayload(columnsOf(LABELLED, {time: TIME}))]) changeAnywhere(payload);
});

function changeAnywhere(payload) {
  for (let at = 0; at < payload.length; at++) {
    for (const change of [0x01, 0x80, 0xff]) {
      const damaged = Buffer.from(payload);
      damaged[at] ^= change;
      try {
        decodePayload(damaged);
      } catch (error) {
        assert.ok(error instanceof DataError, `byte ${at}: ${error.stack}`);
      }
    }
  }
}

test('each kind of damage is named', async () => {
  const damaged = (changes) => encodePayload({...columnsOf(SMALL), ...changes});
  assert.throws(() => decodePayload(damaged({ups: [0, 0, 9, 0]})), /level 9 of 4/);
  assert.throws(() => decodePayload(damaged({ups: [0, 0, 3, 0]})), /node 3 lies above the root/);
  assert.throws(() => decodePayload(damaged({nodeFrames: [0, 1, 2, 44]})), /frame 44 of 4/);
  assert.throws(() => decodePayload(damaged({frames: [[0, 1], [9, 1], [1, 1], [2, 1]]})), /name 9 of 4/);
  assert.throws(() => decodePayload(Buffer.concat([damaged({}), Buffer.from([0])])), /1 bytes follow/);
  assert.throws(() => decodePayload(damaged({rowCounts: [0, 1, 1, 2]})), /more than 3 rows/);
  assert.throws(() => decodePayload(damaged({rowCounts: [0, 1, 1, 0]})), /2 rows, not 3/);
  const later = encodePayload({...columnsOf(SMALL), header: {...columnsOf(SMALL).header, format: 3}});
  assert.throws(() => decodePayload(later), /format 3, this page reads 2/);
  await assert.rejects(decodePage('%%%'), /not base64/);
  await assert.rejects(decodePage(Buffer.from('not deflate at all').toString('base64')), /cannot be decompressed/);
});

test('counts that the data cannot hold allocate nothing', () => {
  const payload = encodePayload(columnsOf([]));
  for (const count of ['names', 'frames', 'nodes', 'words', 'label_sets', 'rows']) {
    for (const [from, to] of [[`"${count}":0`, `"${count}":9`], [`"${count}":0`, `"${count}":x`]]) {
      const text = payload.toString('latin1').replace(from, to).replace(':x', ':[');
      assert.throws(() => decodePayload(Buffer.from(text, 'latin1')), DataError, count);
    }
  }
});

test('the example service is a profile', () => {
  const profile = decodePayload(encodePayload(service()));
  assert.ok(profile.names.includes('cheshire.parse/parse*'));
  assert.ok(profile.parents.length > 200);
});
