// Decodes the page's data, format 2, specified in agent/profile/page/page_data.h: base64(raw deflate(header, names, frames, tree,
// labels, rows)). A profile may have millions of nodes, so data per node or row is kept in typed arrays.

import {legible} from './legible.js';
import {DataError, Reader} from './reader.js';

export {DataError};

const FORMAT = 2;

/**
 * @typedef {Object} Profile  Node 0 is the root, which has no frame; a parent has a smaller number than its
 *     children. Siblings differ in name, kind or line.
 * @property {Object} header
 * @property {string[]} names  in bytewise order, except where legible() changes a name
 * @property {Uint32Array} frameNames  frame -> name; the frames used most come first
 * @property {Uint8Array} frameKinds  frame -> kind (see kinds.js)
 * @property {Uint32Array} frameLines  frame -> line, 0 where it is not known
 * @property {Uint32Array} parents  node -> parent
 * @property {Uint32Array} frames  node -> frame
 * @property {{key: string, unit: string, isText: boolean}[]} labels  label number -> key
 * @property {{label: number, value: (string|number)}[][]} labelSets  0: no labels
 * @property {Uint32Array} rowNodes  row -> node; the self value of a node is the sum of its rows
 * @property {?Uint32Array} rowSets  row -> label set
 * @property {?Uint32Array} rowTimes  row -> 0: no time, else its time step + 1
 * @property {function(number): Float64Array} valuesOf  of a value type: row -> value
 * @property {function(number): ?Float64Array} deviationsOf  of a value type: row -> standard deviation of its value;
 *     null where it is not known
 */

/**
 * @param {string} base64 @return {Promise<Profile>} rejects with DataError if the data is damaged or of another
 *     format
 */
export async function decodePage(base64) { return decodePayload(await inflate(fromBase64(base64.trim()))); }

/** @param {Uint8Array} payload @return {Profile} */
export function decodePayload(payload) {
  const reader = new Reader(payload);
  const header = readHeader(reader);
  const names = reader.texts(header.names).map(legible);
  const frames = readFrames(reader, header.frames, names.length);
  const parents = readParents(reader, header.nodes);
  const nodeFrames = reader.indexes(new Uint32Array(header.nodes + 1), 1, header.frames, 'frame');
  const labels = readLabels(reader, header);
  const rows = readRows(reader, header);
  if (reader.left() !== 0) throw new DataError(`${reader.left()} bytes follow the end of the data`);
  return {header, names, ...frames, parents, frames: nodeFrames, ...labels, ...rows};
}

/** @return {Profile} of no stacks */
export function emptyProfile(header) {
  const none = () => new Uint32Array(0);
  return {
    header,
    names: [],
    frameNames: none(),
    frameKinds: new Uint8Array(0),
    frameLines: none(),
    parents: new Uint32Array(1),
    frames: new Uint32Array(1),
    labels: [],
    labelSets: [[]],
    rowNodes: none(),
    rowSets: null,
    rowTimes: null,
    valuesOf: () => new Float64Array(0),
    deviationsOf: () => null,
  };
}

function fromBase64(text) {
  try {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch (error) {
    throw new DataError('the data is not base64');
  }
}

async function inflate(bytes) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new DataError('the data cannot be decompressed');
  }
}

function readHeader(reader) {
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(reader.take(reader.varint())), (_, value) => typeof value === 'string' ? legible(value) : value);
  } catch (error) {
    throw error instanceof DataError ? error : new DataError('the header is not JSON');
  }
  if (header?.format !== FORMAT) throw new DataError(`the data has format ${header?.format}, this page reads ${FORMAT}`);
  if (!Array.isArray(header.values) || header.values.length === 0) throw new DataError('the header lists no values');
  if (!Array.isArray(header.labels ?? [])) throw new DataError('the labels in the header are not a list');
  checkDifference(header);
  checkCounts(header, reader.left());
  return header;
}

/** The values of a difference are those before, then the same number after. */
function checkDifference({difference, values}) {
  if (difference === undefined) return;
  if (!Array.isArray(difference?.sides) || difference.sides.length !== 2 || values.length % 2 !== 0) {
    throw new DataError('the header describes a difference without two sides');
  }
}

/** Rejects damaged counts before they allocate memory: each counted item takes at least one byte. */
function checkCounts(header, left) {
  const {names, frames, nodes, words, label_sets: labelSets, rows, values, time} = header;
  const columns = values.length + values.filter(({deviations}) => deviations).length + (labelSets > 0) + Boolean(time);
  const bytes = [[names, 2], [frames, 3], [nodes, 3], [words, 2], [labelSets, 1], [rows, columns]];
  const isCounted = bytes.every(([count]) => Number.isInteger(count) && count >= 0);
  const least = bytes.reduce((sum, [count, size]) => sum + count * size, 0);
  if (!isCounted || least > left) throw new DataError('the header counts more than the data holds');
  const isTimed = time && Number.isInteger(time.count) && time.count >= 0 && time.count < 2 ** 32 && time.step_ns > 0;
  if (time && !isTimed) throw new DataError('the time axis in the header has no steps');
}

function readFrames(reader, count, nameCount) {
  const frameNames = new Uint32Array(count);
  const frameKinds = new Uint8Array(count);
  const frameLines = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    frameNames[i] = reader.index(nameCount, 'name');
    frameKinds[i] = reader.byte();
    frameLines[i] = reader.index(2 ** 32, 'line');
  }
  return {frameNames, frameKinds, frameLines};
}

/** The column holds the number of levels from the previous node up to the parent; 0: child of the previous node. */
function readParents(reader, count) {
  const parents = new Uint32Array(count + 1);
  const ups = reader.indexes(new Uint32Array(count + 1), 1, count, 'level');
  for (let node = 1; node <= count; node++) {
    let parent = node - 1;
    for (let up = ups[node]; up > 0; up--) {
      if (parent === 0) throw new DataError(`node ${node} lies above the root`);
      parent = parents[parent];
    }
    parents[node] = parent;
  }
  return parents;
}

function readLabels(reader, header) {
  const words = reader.texts(header.words).map(legible);
  const labels = (header.labels ?? []).map((label) => {
    const {key, unit} = Object(label);
    return {key: String(key), unit: unit ?? '', isText: unit === undefined};
  });
  const readLabel = () => {
    const label = reader.index(labels.length, 'label');
    return {label, value: labels[label].isText ? words[reader.index(words.length, 'word')] : reader.signed()};
  };
  const labelSets = [[]];
  for (let i = 0; i < header.label_sets; i++) {
    const set = [];
    for (let left = reader.varint(); left > 0; left--) set.push(readLabel());
    labelSets.push(set);
  }
  return {labels, labelSets};
}

function readRows(reader, header) {
  const {rows: count, time, label_sets: labelSets, values} = header;
  const rowNodes = readRowNodes(reader, header.nodes, count);
  const rowSets = labelSets > 0 ? reader.indexes(new Uint32Array(count), 0, labelSets + 1, 'label set') : null;
  const rowTimes = time ? reader.indexes(new Uint32Array(count), 0, time.count + 1, 'step of time') : null;
  const columns = values.map(() => reader.column(count));
  const deviations = values.map((value) => value.deviations ? reader.column(count) : null);
  // Decoded on demand: views show one value type at a time.
  const valuesOf = remembering((lens) => columns[lens].values());
  const deviationsOf = remembering((lens) => deviations[lens] && deviations[lens].values());
  return {rowNodes, rowSets, rowTimes, valuesOf, deviationsOf};
}

function readRowNodes(reader, nodes, count) {
  const perNode = reader.indexes(new Uint32Array(nodes + 1), 1, count + 1, 'rows');
  const rowNodes = new Uint32Array(count);
  let row = 0;
  for (let node = 1; node <= nodes; node++) {
    const end = row + perNode[node];
    if (end > count) throw new DataError(`the nodes have more than ${count} rows`);
    while (row < end) rowNodes[row++] = node;
  }
  if (row !== count) throw new DataError(`the nodes have ${row} rows, not ${count}`);
  return rowNodes;
}

function remembering(compute) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
}
