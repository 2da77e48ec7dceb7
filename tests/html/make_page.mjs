// Makes the page's data, format 1, and whole pages from JavaScript, so that the page's tests need nothing of the C++
// side.

import {readFileSync, writeFileSync} from 'node:fs';
import {deflateRawSync} from 'node:zlib';

export const KIND = {
  interpreted: 0,
  c1: 1,
  jit: 2,
  inlined: 3,
  native: 4,
  cpp: 5,
  kernel: 6,
  stub: 7,
  thread: 8,
  marker: 9,
  class: 10
};

export const CPU_VALUES = [{type: 'samples', unit: 'count'}, {type: 'cpu', unit: 'nanoseconds'}];

/** Bytes that grow; varints are unsigned LEB128. */
class Writer {
  constructor() {
    this.bytes = Buffer.alloc(1 << 16);
    this.length = 0;
  }

  reserve(count) {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.max(2 * this.bytes.length, this.length + count));
    this.bytes.copy(larger);
    this.bytes = larger;
  }

  varint(value) {
    this.reserve(10);
    for (; value >= 128; value = Math.floor(value / 128)) this.bytes[this.length++] = 128 + value % 128;
    this.bytes[this.length++] = value;
  }

  append(bytes) {
    this.reserve(bytes.length);
    Buffer.from(bytes).copy(this.bytes, this.length);
    this.length += bytes.length;
  }

  result() { return this.bytes.subarray(0, this.length); }
}

/**
 * @param {Object} columns header (without counts), names (sorted bytewise), frames ([name index, kind]), ups,
 *     nodeFrames, values, mixed (nodes of several kinds: [nodes after the one before, [kind, total]…])
 * @return {Buffer} the payload, not yet deflated
 */
export function encodePayload({header, names, frames, ups, nodeFrames, values, mixed = []}) {
  const writer = new Writer();
  const counts = {names: names.length, frames: frames.length, nodes: ups.length, mixed: mixed.length};
  const text = Buffer.from(JSON.stringify({format: 1, ...header, ...counts}));
  writer.varint(text.length);
  writer.append(text);
  let before = Buffer.alloc(0);
  for (const name of names) {
    const bytes = Buffer.from(name);
    let shared = 0;
    while (shared < bytes.length && shared < before.length && bytes[shared] === before[shared]) shared++;
    writer.varint(shared);
    writer.varint(bytes.length - shared);
    writer.append(bytes.subarray(shared));
    before = bytes;
  }
  for (const [name, kind] of frames) {
    writer.varint(name);
    writer.append([kind]);
  }
  for (const column of [ups, nodeFrames, ...values]) {
    for (const value of column) writer.varint(value);
  }
  for (const [after, ...kinds] of mixed) {
    writer.varint(after);
    writer.varint(kinds.length);
    for (const [kind, total] of kinds) {
      writer.append([kind]);
      writer.varint(total);
    }
  }
  return writer.result();
}

/**
 * @param {{frames: [string, number][], values: number[]}[]} stacks frames as [name, kind], outermost first; values of
 *     each type, then deviations of those types that have them
 * @param {Object} header what differs from a plain header
 * @return {Object} what encodePayload takes
 */
export function columnsOf(stacks, header = {}) {
  const root = {children: new Map(), values: null};
  const uses = new Map();
  for (const stack of stacks) {
    let node = root;
    for (const [name, kind] of stack.frames) {
      const key = `${name}\n${kind}`;
      if (!node.children.has(key)) {
        node.children.set(key, {name, kind, key, children: new Map(), values: stack.values.map(() => 0)});
        uses.set(key, (uses.get(key) ?? 0) + 1);
      }
      node = node.children.get(key);
    }
    stack.values.forEach((value, i) => node.values[i] += value);
  }
  const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const keys = [...uses.keys()].sort((a, b) => uses.get(b) - uses.get(a) || byBytes(a, b));
  const names = [...new Set(keys.map((key) => key.split('\n')[0]))].sort(byBytes);
  const frames = keys.map((key) => [names.indexOf(key.split('\n')[0]), Number(key.split('\n')[1])]);
  const columns = {header: {...plainHeader(), ...header}, names, frames, ups: [], nodeFrames: []};
  columns.values = (stacks[0]?.values ?? columns.header.values).map(() => []);
  const frameIndex = new Map(keys.map((key, i) => [key, i]));
  let depthBefore = 0;
  const visit = (node, depth) => {
    for (const child of [...node.children.values()].sort((a, b) => byBytes(a.name, b.name) || a.kind - b.kind)) {
      columns.ups.push(depthBefore - depth);
      depthBefore = depth + 1;
      columns.nodeFrames.push(frameIndex.get(child.key));
      child.values.forEach((value, i) => columns.values[i].push(value));
      visit(child, depth + 1);
    }
  };
  visit(root, 0);
  return columns;
}

function plainHeader() {
  return {
    title: 'CPU profile',
    event: 'cpu',
    values: CPU_VALUES,
    lens: 1,
    view: {reverse: false, inverted: false, minwidth: 0},
    interval: 1000000,
    start_unix_ms: 1773500966000,
    duration_ns: 10e9,
    producer: 'hearth 0.1.0',
    runtime: 'OpenJDK 64-Bit Server VM 17.0.15+6',
    quality: {
      samples: 9876,
      lost: 0,
      lost_weight: 0,
      java_samples: 9000,
      whole: 8930,
      whole_share: 8930 / 9000,
      failures: {},
      without_symbols: {},
      truncated: 0,
      recovered: 1200,
      walk_ns_mean: 4200,
      walk_ns_p50: 4000,
      walk_ns_p99: 11200,
      handler_ns_mean: 6100,
      handler_ns_p50: 5900,
      handler_ns_p99: 15300,
      engine: 'perf_events',
      own_cpu_ns: 61e6,
      threads_cpu_ns: 10.1e9,
      notes: [],
    },
  };
}

/** @param {Buffer} payload @return {string} as the page carries it */
export function packPayload(payload) { return deflateRawSync(payload, {level: 6}).toString('base64'); }

/** @param {Buffer} payload @param {string} path where the page is written; the template is what the build made */
export function writePage(payload, path, title = 'CPU profile') {
  const template = readFileSync(process.env.HEARTH_PAGE_TEMPLATE, 'utf8');
  const escaped = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const [beforeTitle, afterTitle] = template.split('{{HEARTH_TITLE}}');
  const [beforeData, afterData] = afterTitle.split('{{HEARTH_DATA}}');
  writeFileSync(path, beforeTitle + escaped + beforeData + packPayload(payload) + afterData);
}
