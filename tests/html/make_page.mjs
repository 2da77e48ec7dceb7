// Makes the page's data, format 2, and whole pages from JavaScript, so that the page's tests need nothing of the C++
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

export const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function putTexts(writer, texts) {
  let before = Buffer.alloc(0);
  for (const text of texts) {
    const bytes = Buffer.from(text);
    let shared = 0;
    while (shared < bytes.length && shared < before.length && bytes[shared] === before[shared]) shared++;
    writer.varint(shared);
    writer.varint(bytes.length - shared);
    writer.append(bytes.subarray(shared));
    before = bytes;
  }
}

const zigzag = (number) => number < 0 ? -2 * number - 1 : 2 * number;

/**
 * @param {Object} columns header (without counts), names (sorted bytewise), frames ([name index, kind, line]), ups,
 *     nodeFrames, words, labelSets (of [label, number of the word or the number itself]), rowCounts (by node), rowSets and rowTimes (where
 *     there are labels and a time), values (for each value type, then for each with deviations, by row)
 * @return {Buffer} the payload, not yet deflated
 */
export function encodePayload(columns) {
  const {header, names, frames, ups, nodeFrames, words = [], labelSets = [], rowCounts, rowSets = [], rowTimes = [], values} = columns;
  const writer = new Writer();
  const counts = {names: names.length, frames: frames.length, nodes: ups.length, words: words.length, label_sets: labelSets.length};
  const text = Buffer.from(JSON.stringify({format: 2, labels: [], time: null, transforms: [], rows: values[0].length, ...header, ...counts}));
  writer.varint(text.length);
  writer.append(text);
  putTexts(writer, names);
  for (const [name, kind, line = 0] of frames) {
    writer.varint(name);
    writer.append([kind]);
    writer.varint(line);
  }
  for (const column of [ups, nodeFrames]) column.forEach((value) => writer.varint(value));
  putTexts(writer, words);
  for (const set of labelSets) {
    writer.varint(set.length);
    for (const [label, value] of set) {
      writer.varint(label);
      writer.varint(header.labels[label].unit === undefined ? value : zigzag(value));
    }
  }
  const rows = [rowCounts, ...(labelSets.length > 0 ? [rowSets] : []), ...(header.time ? [rowTimes] : []), ...values];
  for (const column of rows) column.forEach((value) => writer.varint(value));
  return writer.result();
}

/**
 * @param {{frames: [string, number, number=][], values: number[], labels: Object=, time: number=}[]} stacks  frames as
 *     [name, kind, line], outermost first; values of each type, then deviations of the types that have them; labels by key, text or
 *     number; the step of time if header.time is set
 * @param {Object} header the fields that differ from a plain header
 * @return {Object} the argument of encodePayload
 */
export function columnsOf(stacks, header = {}) {
  const root = {children: new Map()};
  const uses = new Map();
  const labelling = labelSetsOf(stacks);
  stacks.forEach((stack, i) => {
    let node = root;
    for (const [name, kind, line = 0] of stack.frames) {
      const key = `${name}\n${kind}\n${line}`;
      if (!node.children.has(key)) {
        node.children.set(key, {name, kind, line, key, children: new Map(), rows: new Map()});
        uses.set(key, (uses.get(key) ?? 0) + 1);
      }
      node = node.children.get(key);
    }
    addRow(node, labelling.setOf[i], stack.time === undefined ? 0 : stack.time + 1, stack.values);
  });
  const {labels, words, labelSets} = labelling;
  const columns = {...framesOf(uses), header: {...plainHeader(), labels, ...header}, words, labelSets};
  return {...columns, ...nodesOf(root, columns, stacks[0]?.values.length ?? columns.header.values.length)};
}

function addRow(node, set, time, values) {
  const key = `${set} ${time}`;
  const row = node.rows.get(key) ?? {set, time, values: values.map(() => 0)};
  values.forEach((value, i) => row.values[i] += value);
  node.rows.set(key, row);
}

function labelSetsOf(stacks) {
  const labels = [];
  const words = [...new Set(stacks.flatMap(({labels = {}}) => Object.values(labels)).filter((value) => typeof value === 'string'))];
  words.sort(byBytes);
  const known = new Map([['[]', 0]]);
  const labelSets = [];
  const setOf = stacks.map((stack) => {
    const set = Object.entries(stack.labels ?? {}).map(([key, value]) => {
      const isText = typeof value === 'string';
      if (!labels.some((label) => label.key === key)) labels.push(isText ? {key} : {key, unit: ''});
      return [labels.findIndex((label) => label.key === key), isText ? words.indexOf(value) : value];
    });
    const text = JSON.stringify(set);
    if (!known.has(text)) known.set(text, labelSets.push(set));
    return known.get(text);
  });
  return {labels, words, labelSets, setOf};
}

function framesOf(uses) {
  const keys = [...uses.keys()].sort((a, b) => uses.get(b) - uses.get(a) || byBytes(a, b));
  const parts = keys.map((key) => key.split('\n'));
  const names = [...new Set(parts.map(([name]) => name))].sort(byBytes);
  const number = new Map(names.map((name, i) => [name, i]));
  const frames = parts.map(([name, kind, line]) => [number.get(name), Number(kind), Number(line)]);
  return {names, frames, frameIndex: new Map(keys.map((key, i) => [key, i]))};
}

function nodesOf(root, {frameIndex}, width) {
  const nodes = {ups: [], nodeFrames: [], rowCounts: [], rowSets: [], rowTimes: [], values: Array.from({length: width}, () => [])};
  let depthBefore = 0;
  const visit = (node, depth) => {
    const children = [...node.children.values()].sort((a, b) => byBytes(a.name, b.name) || a.kind - b.kind || a.line - b.line);
    for (const child of children) {
      nodes.ups.push(depthBefore - depth);
      depthBefore = depth + 1;
      nodes.nodeFrames.push(frameIndex.get(child.key));
      const rows = [...child.rows.values()].sort((a, b) => a.set - b.set || a.time - b.time);
      nodes.rowCounts.push(rows.length);
      for (const row of rows) {
        nodes.rowSets.push(row.set);
        nodes.rowTimes.push(row.time);
        row.values.forEach((value, i) => nodes.values[i].push(value));
      }
      visit(child, depth + 1);
    }
  };
  visit(root, 0);
  return nodes;
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

/** @param {Buffer} payload @param {string} path where the page is written; the template is the build's */
export function writePage(payload, path, title = 'CPU profile') {
  const template = readFileSync(process.env.HEARTH_PAGE_TEMPLATE, 'utf8');
  const escaped = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const [beforeTitle, afterTitle] = template.split('{{HEARTH_TITLE}}');
  const [beforeData, afterData] = afterTitle.split('{{HEARTH_DATA}}');
  writeFileSync(path, beforeTitle + escaped + beforeData + packPayload(payload) + afterData);
}
