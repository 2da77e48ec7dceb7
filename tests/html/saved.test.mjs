// Files that the page saves for other tools.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {collapsedText} from '../../html/model/formats/collapsed.js';
import {pprofBytes} from '../../html/model/formats/pprof.js';
import {Engine} from '../../html/model/trees/engine.js';
import {finish} from '../../html/model/work.js';
import {jfrCommand} from '../../html/view/save_profile.js';

import {columnsOf, encodePayload, KIND} from './make_page.mjs';

const MAIN = ['main', KIND.native];
const STACKS = [
  {frames: [MAIN, ['a.b/parse', KIND.jit, 20], ['a;b', KIND.c1, 7]], values: [3, 3e6], labels: {thread: 'one', tid: 17}, time: 1},
  {frames: [MAIN, ['a.b/parse', KIND.inlined, 21]], values: [300, 2 ** 40], labels: {thread: 'two', tid: -3}, time: 0},
  {frames: [MAIN, ['tcp_sendmsg', KIND.kernel]], values: [1, 1e6]},
];
const HEADER = {time: {step_ns: 500e6, count: 4}, program: 'Shop', pid: '17', values: [{type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds', interval: 1e6}]};

const profileOf = (header = {}) => decodePayload(encodePayload(columnsOf(STACKS, {...HEADER, ...header})));

/** Fields of a message: [number, value or bytes]. */
function fieldsOf(bytes) {
  const fields = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag % 8 === 0) {
      fields.push([Math.floor(tag / 8), varint()]);
    } else {
      const length = varint();
      fields.push([Math.floor(tag / 8), bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

const numbersOf = (bytes) => {
  const numbers = [];
  for (let at = 0; at < bytes.length;) {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) break;
    }
    numbers.push(Number(BigInt.asIntN(64, value)));
  }
  return numbers;
};

function readPprof(bytes) {
  const fields = fieldsOf(bytes);
  const all = (number) => fields.filter(([field]) => field === number).map(([, value]) => value);
  const strings = all(6).map((text) => new TextDecoder().decode(text));
  const record = (message) => Object.fromEntries(fieldsOf(message));
  const mappings = new Map(all(3).map(record).map((mapping) => [mapping[1], strings[mapping[5]]]));
  const functions = new Map(all(5).map(record).map((one) => [one[1], strings[one[2]]]));
  const locations = new Map(all(4).map(record).map((location) => {
    const line = record(location[4]);
    return [location[1], `${functions.get(line[1])}:${line[2] ?? 0} ${mappings.get(location[2])}`];
  }));
  const samples = all(2).map((sample) => {
    const parts = fieldsOf(sample);
    const labels = parts.filter(([field]) => field === 3).map(([, label]) => {
      const {1: key, 2: text, 3: number = 0} = record(label);
      return [strings[key], text ? strings[text] : number];
    });
    const one = Object.fromEntries(parts);
    return {stack: numbersOf(one[1]).map((id) => locations.get(id)), values: numbersOf(one[2]), labels: Object.fromEntries(labels)};
  });
  const comments = numbersOf(all(13)[0]).map((id) => strings[id]);
  return {samples, comments, types: all(1).map(record).map((type) => strings[type[1]]), first: strings[all(14)[0]], duration: all(10)[0], empty: strings[0]};
}

function pprofOf(profile, request = {lens: 1}, note = '') {
  const engine = new Engine(profile);
  const whole = {...request, parted: {lines: true, kinds: true}};
  const {table, shape} = finish(engine.shapeOf(whole, false));
  return readPprof(finish(pprofBytes(profile, {shape, table, kept: finish(engine.keptRows(whole, shape, table))}, {lens: request.lens, note})));
}

test('a page gives its whole profile in the format of pprof', () => {
  const {samples, comments, types, first, duration, empty} = pprofOf(profileOf());
  const sorted = samples.sort((a, b) => a.values[0] - b.values[0]);
  assert.deepEqual(sorted, [
    {stack: ['tcp_sendmsg:0 kernel', 'main:0 native'], values: [1, 1e6], labels: {}},
    {stack: ['a;b:7 java_c1', 'a.b/parse:20 java_jit', 'main:0 native'], values: [3, 3e6], labels: {thread: 'one', tid: 17, time: 500e6}},
    {stack: ['a.b/parse:21 java_inlined', 'main:0 native'], values: [300, 2 ** 40], labels: {thread: 'two', tid: -3, time: 0}},
  ]);
  assert.deepEqual([types, first, duration, empty], [['samples', 'cpu'], 'cpu', 10e9, '']);
  for (const comment of ['#hearth.program=Shop', '#hearth.pid=17', '#hearth.interval.cpu=1000000', '#hearth.time_step_ns=500000000', '#hearth.engine=perf_events', '#hearth.lost=0'])
    assert.ok(comments.includes(comment), comment);
});

test('it has the rows that filters keep and the frames that transforms leave, and says so', () => {
  const request = {lens: 1, filters: {labels: {thread: ['one', 'two']}}, transforms: [{type: 'hide', what: 'main'}]};
  const {samples, comments} = pprofOf(profileOf(), request, 'not all');
  assert.deepEqual(samples.map(({stack}) => stack.at(-1)).sort(), ['a.b/parse:20 java_jit', 'a.b/parse:21 java_inlined']);
  assert.ok(comments.includes('hearth.note=not all'));
});

test('a page gives the stacks that it shows as text', () => {
  const tree = finish(new Engine(profileOf()).derive({lens: 0}));
  assert.equal(finish(collapsedText(tree)), 'main;a.b/parse 300\nmain;a.b/parse;a|b 3\nmain;tcp_sendmsg_[k] 1\n');
  const hidden = finish(new Engine(profileOf()).derive({lens: 0, transforms: [{type: 'keep-below', what: 'a.b/parse'}]}));
  assert.equal(finish(collapsedText(hidden)), 'a.b/parse 300\na.b/parse;a|b 3\n');
});

test('the command for a recording has the name of the file, safe for a shell', () => {
  const command = (pathname, protocol = 'file:') => jfrCommand({protocol, pathname});
  assert.equal(command('/tmp/shop.html'), 'hearth convert shop.html shop.jfr');
  assert.equal(command('/tmp/my%20shop.html'), "hearth convert './my shop.html' './my shop.jfr'");
  assert.equal(command("/tmp/a'b;c"), "hearth convert './a'\\''b;c' './a'\\''b;c.jfr'");
  assert.equal(command('/tmp/-x.html'), "hearth convert './-x.html' './-x.jfr'");
  assert.equal(command('/open/17', 'http:'), 'hearth convert PAGE.html PAGE.jfr');
});
