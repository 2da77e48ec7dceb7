// Tables of a tree: methods, packages, and lines of a method.

import {families, familyOf, hasPackage, isClojureName} from '../data/kinds.js';
import {sumOnce} from './sum_once.js';

/**
 * @typedef {Object} Entry  plus the fields of the tree's entryAt()
 * @property {string} name
 */

/** @return {Generator} of Entry[], each with its frame, and its line if frames are split by line, else 0 */
export function* topTable(tree) {
  const {table} = tree;
  const sums = yield* sumOnce(tree, (frame) => frame, table.count);
  return entriesOf(tree, sums, (frame) => ({name: table.nameOf(frame), frame, line: table.lineOf(frame)}));
}

/**
 * @return {Generator} of Entry[]: packages, Clojure namespaces, and kinds of other frames in brackets; each with its
 *     number of methods
 */
export function* packageTable(tree) {
  const {table} = tree;
  const numbers = new Map();
  const keyOfFrame = Array.from({length: table.count}, (_, frame) => {
    const name = packageOf(table.nameOf(frame), table.kindOf(frame));
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name);
  });
  const names = [...numbers.keys()];
  const sums = yield* sumOnce(tree, (frame) => keyOfFrame[frame], names.length);
  const methods = new Uint32Array(names.length);
  sums.isFrameUsed.forEach((used, frame) => methods[keyOfFrame[frame]] += used);
  return entriesOf(tree, sums, (key) => ({name: names[key], methods: methods[key]}));
}

/**
 * @param {import('./call_tree.js').CallTree} tree whose frames are split by line @param {string} name of a method
 * @return {Generator} of Entry[], each with its line, 0 if not known
 */
export function* lineTable(tree, name) {
  const {table} = tree;
  const frames = Array.from({length: table.count}, (_, frame) => frame).filter((frame) => table.nameOf(frame) === name);
  const other = frames.length;
  const keyOfFrame = new Uint32Array(table.count).fill(other);
  frames.forEach((frame, key) => keyOfFrame[frame] = key);
  const sums = yield* sumOnce(tree, (frame) => keyOfFrame[frame], other + 1);
  const entries = entriesOf(tree, sums, (key) => key === other ? null : {name, line: table.lineOf(frames[key])});
  return entries.filter(({line}) => line !== undefined);
}

/** @param {function(number): Object} describe  other fields of an entry, by its key */
function entriesOf(tree, {selfs, totals, isUsed}, describe) {
  const entries = [];
  for (let key = 0; key < isUsed.length; key++) {
    if (isUsed[key]) entries.push({...describe(key), ...tree.entryAt(selfs, totals, key)});
  }
  return entries;
}

/** @return {string} java.util of java/util/List.add and of java.util.List; clojure.core of clojure.core/map; [Kernel] */
export function packageOf(name, kind) {
  if (!hasPackage(kind)) return `[${families()[familyOf(kind, name)].label}]`;
  const bare = name.includes('(') ? name.slice(0, name.indexOf('(')) : name;
  if (isClojureName(bare)) return bare.slice(0, bare.indexOf('/'));
  const slash = bare.lastIndexOf('/');
  if (slash > 0) return bare.slice(0, slash).replaceAll('/', '.');
  // The last part of a dotted name is a class, or a method after its class.
  const parts = bare.split('.').slice(0, isClass(bare) ? -1 : -2);
  return parts.length > 0 ? parts.join('.') : '[no package]';
}

/** Class names start with a capital letter, method names do not. */
function isClass(name) { return /(^|\.)[A-Z][^.]*$/.test(name); }
