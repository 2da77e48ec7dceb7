import './inflate_for_old_node.mjs';

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {DataError, decodePage, decodePayload} from '../../html/model/decode.js';

import {forest, service} from './examples.mjs';
import {columnsOf, encodePayload, KIND, packPayload} from './make_page.mjs';

const {jit, native} = KIND;
const SMALL = [
  {frames: [['main', native], ['a/B.run', jit]], values: [2, 2000]},
  {frames: [['main', native], ['a/B.run', jit], ['a/B.übergeben', jit]], values: [1, 1000]},
  {frames: [['main', native], ['a/C.run', jit]], values: [4, 2 ** 52]},
];

test('a page says what its stacks said', async () => {
  const profile = await decodePage(packPayload(encodePayload(columnsOf(SMALL))));
  assert.deepEqual(profile.names, ['a/B.run', 'a/B.übergeben', 'a/C.run', 'main']);
  const nameOf = (node) => profile.names[profile.frameNames[profile.frames[node]]];
  assert.deepEqual([1, 2, 3, 4].map(nameOf), ['main', 'a/B.run', 'a/B.übergeben', 'a/C.run']);
  assert.deepEqual([...profile.parents], [0, 0, 1, 2, 1]);
  assert.deepEqual([...profile.selfs[0]], [0, 0, 2, 1, 4]);
  assert.deepEqual([...profile.selfs[1]], [0, 0, 2000, 1000, 2 ** 52]);
  assert.equal(profile.frameKinds[profile.frames[1]], native);
  assert.equal(profile.header.title, 'CPU profile');
});

test('a profile without stacks has only its root', () => {
  const profile = decodePayload(encodePayload(columnsOf([])));
  assert.equal(profile.parents.length, 1);
  assert.equal(profile.selfs.length, 2);
});

test('every tree comes back as it was written', () => {
  const columns = forest(20000);
  const profile = decodePayload(encodePayload(columns));
  assert.equal(profile.parents.length, columns.ups.length + 1);
  assert.deepEqual([...profile.selfs[0].subarray(1)], columns.values[0]);
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
  assert.equal(decodePayload(encodePayload(columns)).selfs[1][1], 2 ** 62);
});

test('a payload that ends anywhere is refused, and never read beyond', () => {
  const payload = encodePayload(columnsOf(SMALL));
  for (let length = 0; length < payload.length; length++) {
    assert.throws(() => decodePayload(payload.subarray(0, length)), DataError, `cut after ${length} bytes`);
  }
});

test('any changed byte is refused or read, and nothing else', () => {
  const payload = encodePayload(columnsOf(SMALL));
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
});

test('nodes of several kinds know how much of each', () => {
  const mixed = [[1, [0, 300], [2, 5e9]], [2, [1, 1], [3, 2], [2, 4]]];
  const payload = encodePayload({...columnsOf(SMALL), mixed});
  const {kindParts} = decodePayload(payload);
  assert.deepEqual([...kindParts], [
    [2, [{kind: 0, total: 300}, {kind: 2, total: 5e9}]],
    [4, [{kind: 1, total: 1}, {kind: 3, total: 2}, {kind: 2, total: 4}]],
  ]);
  for (let length = 0; length < payload.length; length++) {
    assert.throws(() => decodePayload(payload.subarray(0, length)), DataError, `cut after ${length} bytes`);
  }
  assert.throws(() => decodePayload(encodePayload({...columnsOf(SMALL), mixed: [[9, [0, 1]]]})), /parts of node 10 of 4/);
  assert.throws(() => decodePayload(encodePayload({...columnsOf(SMALL), mixed: [mixed[0], [0, [0, 1]]]})), /node 2/);
});

test('each kind of damage is named', async () => {
  const damaged = (changes) => encodePayload({...columnsOf(SMALL), ...changes});
  assert.throws(() => decodePayload(damaged({ups: [0, 0, 9, 0]})), /node 3 lies above the root/);
  assert.throws(() => decodePayload(damaged({nodeFrames: [0, 1, 2, 44]})), /frame 44 of 4/);
  assert.throws(() => decodePayload(damaged({frames: [[0, 1], [9, 1], [1, 1], [2, 1]]})), /name 9 of 4/);
  assert.throws(() => decodePayload(Buffer.concat([damaged({}), Buffer.from([0])])), /1 bytes follow/);
  const later = encodePayload({...columnsOf(SMALL), header: {...columnsOf(SMALL).header, format: 3}});
  assert.throws(() => decodePayload(later), /format 3, this page reads 1 and 2/);
  await assert.rejects(decodePage('%%%'), /not base64/);
  await assert.rejects(decodePage(Buffer.from('not deflate at all').toString('base64')), /does not decompress/);
});

test('counts that the data cannot hold allocate nothing', () => {
  const payload = encodePayload(columnsOf([]));
  const text = payload.toString('latin1').replace('"nodes":0', '"nodes":9');
  assert.throws(() => decodePayload(Buffer.from(text, 'latin1')), /counts more than the data holds/);
});

test('the example service is a profile', () => {
  const profile = decodePayload(encodePayload(service()));
  assert.ok(profile.names.includes('cheshire.parse/parse*'));
  assert.ok(profile.parents.length > 200);
});
