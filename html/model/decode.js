// Reads the page's data, as agent/profile/page_data.h tells it: base64(raw deflate(header, names, frames, tree
// columns)), of formats 2 and 1. A profile may have millions of nodes, so whatever there is one of per node lives in a typed
// array.

import {readMerged} from './base_tree.js';

export class DataError extends Error {}

const FORMATS = [1, 2];

/**
 * @typedef {Object} Profile  Node 0 is the root, which has no frame; a node's parent has a smaller number than the
 * node.
 * @property {Object} header
 * @property {string[]} names  in bytewise order, so that a smaller index is an earlier name
 * @property {Uint32Array} frameNames  frame -> name
 * @property {Uint8Array} frameKinds  frame -> kind (see kinds.js)
 * @property {Uint32Array} parents  node -> parent
 * @property {Uint32Array} frames  node -> frame
 * @property {Float64Array[]} selfs  for each value type: node -> own value
 * @property {?Float64Array[]} deviations  for each value type: node -> standard deviation of its own value; null where
 *     it is not known
 * @property {Map<number, {kind: number, total: number}[]>} kindParts  of nodes whose frames are of several kinds: what
 *     each kind holds of the last value type, callees included
 */

/**
 * @param {string} base64 @return {Promise<Profile>} rejects with DataError when the data is damaged or of another
 *     format
 */
export async function decodePage(base64) { return decodePayload(await inflate(fromBase64(base64.trim()))); }

/** @param {Uint8Array} payload @return {Profile} */
export function decodePayload(payload) {
  const reader = new Reader(payload);
  const header = readHeader(reader);
  if (header.format === 2) {
    const profile = readMerged(reader, header, {readNames, readParents, readNodeFrames, readValues});
    if (reader.left() !== 0) throw new DataError(`${reader.left()} bytes follow the end of the data`);
    return profile;
  }
  const names = readNames(reader, header.names);
  const {frameNames, frameKinds} = readFrames(reader, header.frames, names.length);
  const parents = readParents(reader, header.nodes);
  const frames = readNodeFrames(reader, header.nodes, frameNames.length);
  const selfs = header.values.map(() => readValues(reader, header.nodes));
  const deviations = header.values.map((value) => value.deviations ? readValues(reader, header.nodes) : null);
  const kindParts = readKindParts(reader, header.mixed ?? 0, header.nodes);
  if (reader.left() !== 0) throw new DataError(`${reader.left()} bytes follow the end of the data`);
  return {header, names, frameNames, frameKinds, parents, frames, selfs, deviations, kindParts};
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
    throw new DataError('the data does not decompress');
  }
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  left() { return this.bytes.length - this.at; }

  byte() {
    if (this.at >= this.bytes.length) throw new DataError('the data ends early');
    return this.bytes[this.at++];
  }

  /** Values above 2^53 lose their lowest bits: shifts would lose all above 2^32. */
  varint() {
    const bytes = this.bytes;
    let at = this.at;
    let byte = bytes[at++];
    let value = byte & 0x7f;
    for (let scale = 128; byte >= 0x80; scale *= 128) {
      byte = bytes[at++];
      value += (byte & 0x7f) * scale;
    }
    if (at > bytes.length) throw new DataError('the data ends early');
    this.at = at;
    return value;
  }

  index(limit, what) {
    const value = this.varint();
    if (value >= limit) throw new DataError(`${what} ${value} of ${limit}`);
    return value;
  }

  take(length) {
    if (length > this.left()) throw new DataError('the data ends early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

function readHeader(reader) {
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(reader.take(reader.varint())));
  } catch (error) {
    throw error instanceof DataError ? error : new DataError('the header is not JSON');
  }
  if (!FORMATS.includes(header.format)) {
    throw new DataError(`the data has format ${header.format}, this page reads ${FORMATS.join(' and ')}`);
  }
  if (!Array.isArray(header.values) || header.values.length === 0) throw new DataError('the header names no value');
  checkDifference(header);
  // Every name and frame takes two bytes or more, every node two and one for each value and each deviation: a damaged count must not
  // allocate what the data cannot hold.
  if (header.format === 2) return header;
  const columns = 2 + header.values.length + header.values.filter(({deviations}) => deviations).length;
  const least = 2 * header.names + 2 * header.frames + columns * header.nodes;
  if (!(least <= reader.left())) throw new DataError('the header counts more than the data holds');
  return header;
}

/** Of two profiles the values are those before and then as many after. */
function checkDifference({difference, values}) {
  if (difference === undefined) return;
  if (!Array.isArray(difference?.sides) || difference.sides.length !== 2 || values.length % 2 !== 0) {
    throw new DataError('the header tells of a difference that has no two sides');
  }
}

function readNames(reader, count) {
  const names = new Array(count);
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(1024);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const shared = reader.varint();
    if (shared > length) throw new DataError(`name ${i} shares ${shared} bytes with one of ${length}`);
    const fresh = reader.take(reader.varint());
    length = shared + fresh.length;
    if (length > buffer.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(buffer.subarray(0, shared));
      buffer = larger;
    }
    buffer.set(fresh, shared);
    names[i] = decoder.decode(buffer.subarray(0, length));
  }
  return names;
}

function readFrames(reader, count, nameCount) {
  const frameNames = new Uint32Array(count);
  const frameKinds = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    frameNames[i] = reader.index(nameCount, 'name');
    frameKinds[i] = reader.byte();
  }
  return {frameNames, frameKinds};
}

/** The column says how many levels lie between the node before and the parent; 0 is "child of the node before". */
function readParents(reader, count) {
  const parents = new Uint32Array(count + 1);
  for (let node = 1; node <= count; node++) {
    let parent = node - 1;
    for (let up = reader.varint(); up > 0; up--) {
      if (parent === 0) throw new DataError(`node ${node} lies above the root`);
      parent = parents[parent];
    }
    parents[node] = parent;
  }
  return parents;
}

function readNodeFrames(reader, count, frameCount) {
  const frames = new Uint32Array(count + 1);
  for (let node = 1; node <= count; node++) frames[node] = reader.index(frameCount, 'frame');
  return frames;
}

function readKindParts(reader, count, nodeCount) {
  const parts = new Map();
  let node = 1;
  while (parts.size < count) {
    node += reader.varint();
    if (node > nodeCount || parts.has(node)) throw new DataError(`parts of node ${node} of ${nodeCount}`);
    const kinds = [];
    for (let left = reader.varint(); left > 0; left--) kinds.push({kind: reader.byte(), total: reader.varint()});
    parts.set(node, kinds);
  }
  return parts;
}

function readValues(reader, count) {
  const values = new Float64Array(count + 1);
  for (let node = 1; node <= count; node++) values[node] = reader.varint();
  return values;
}
