// Frames of trees: those of the profile, then those that transforms create. Frames of the same name are one frame, unless they are
// split by kind or line.

import {GrowingArray} from './growing_array.js';

export class FrameTable {
  /** @param {import('./decode.js').Profile} profile @param {{kinds: boolean=, lines: boolean=}} parted */
  constructor(profile, parted = {}) {
    const {names, frameNames, frameKinds, frameLines} = profile;
    this.parted = parted;
    this.names = names.slice();
    // Number of the profile's own frames. Their numbers never change.
    this.known = frameNames.length;
    this.frameNames = growing(Uint32Array, frameNames);
    this.frameKinds = growing(Uint8Array, frameKinds);
    this.frameLines = growing(Uint32Array, frameLines);
    // Key (see keyOf()) -> frame.
    this.ofKey = new Map();
    this.heads = Uint32Array.from(frameNames, (name, frame) => {
      const key = this.keyOf(name, frameKinds[frame], frameLines[frame]);
      if (!this.ofKey.has(key)) this.ofKey.set(key, frame);
      return this.ofKey.get(key);
    });
  }

  get count() { return this.frameNames.length; }

  nameOf(frame) { return this.names[this.frameNames.values[frame]]; }

  kindOf(frame) { return this.frameKinds.values[frame]; }

  /** @return {number} 0 if frames are not split by line, or the line is unknown */
  lineOf(frame) { return this.parted.lines ? this.frameLines.values[frame] : 0; }

  /** @return {boolean} whether no two frames of the profile are one */
  get isIdentity() { return this.heads.every((head, frame) => head === frame); }

  keyOf(name, kind, line) {
    const {kinds, lines} = this.parted;
    return kinds || lines ? `${name} ${kinds ? kind : ''} ${lines ? line : ''}` : name;
  }

  /** @return {number} the frame of this name, created if missing with kind and line of `like` */
  named(text, like) {
    const name = this.nameNumber(text);
    const kind = this.frameKinds.values[like];
    const line = this.frameLines.values[like];
    const key = this.keyOf(name, kind, line);
    if (!this.ofKey.has(key)) this.ofKey.set(key, this.add(name, kind, line));
    return this.ofKey.get(key);
  }

  /** Same as named(), with a given kind and no line. */
  made(text, kind) {
    const name = this.nameNumber(text);
    const key = this.keyOf(name, kind, 0);
    if (!this.ofKey.has(key)) this.ofKey.set(key, this.add(name, kind, 0));
    return this.ofKey.get(key);
  }

  nameNumber(text) {
    this.ofName ??= new Map(this.names.map((name, i) => [name, i]));
    let number = this.ofName.get(text);
    if (number === undefined) {
      number = this.names.length;
      this.names.push(text);
      this.ofName.set(text, number);
    }
    return number;
  }

  add(name, kind, line) {
    this.frameNames.push(name);
    this.frameKinds.push(kind);
    this.frameLines.push(line);
    return this.count - 1;
  }

  /** @return {Uint32Array} frame -> rank among siblings: by name, kind, line */
  get ranks() {
    if (this.knownRanks?.length === this.count) return this.knownRanks;
    const nameRanks = this.rankNames();
    const order = Uint32Array.from({length: this.count}, (_, frame) => frame);
    const [names, kinds, lines] = [this.frameNames.values, this.frameKinds.values, this.frameLines.values];
    order.sort((a, b) => nameRanks[names[a]] - nameRanks[names[b]] || kinds[a] - kinds[b] || lines[a] - lines[b] || a - b);
    this.knownRanks = new Uint32Array(this.count);
    order.forEach((frame, rank) => this.knownRanks[frame] = rank);
    return this.knownRanks;
  }

  rankNames() {
    const order = this.names.map((_, name) => name);
    // The profile's names are sorted; usually there are no others.
    const isInOrder = this.names.every((name, i) => i === 0 || compareCodePoints(this.names[i - 1], name) < 0);
    if (!isInOrder) order.sort((a, b) => compareCodePoints(this.names[a], this.names[b]));
    const ranks = new Uint32Array(order.length);
    order.forEach((name, rank) => ranks[name] = rank);
    return ranks;
  }

  /** @param {function(string): boolean} test @return {Uint8Array} frame -> 1 if its name passes; each name is tested once */
  mask(test) {
    const passes = this.names.map((name) => test(name) ? 1 : 0);
    return Uint8Array.from({length: this.count}, (_, frame) => passes[this.frameNames.values[frame]]);
  }
}

/** Compares by code points, the order of UTF-8 bytes; `<` would sort characters above 0xffff before 0xe000. */
function compareCodePoints(a, b) {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i === length ? a.length - b.length : orderOf(a.charCodeAt(i)) - orderOf(b.charCodeAt(i));
}

/** Maps a UTF-16 unit to its order: surrogates, which encode characters above 0xffff, come last. */
function orderOf(unit) { return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800; }

function growing(Type, values) {
  const array = new GrowingArray(Type, values.length + 64);
  array.values.set(values);
  array.length = values.length;
  return array;
}
