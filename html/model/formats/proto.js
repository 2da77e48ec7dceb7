// Writes the part of the protobuf wire format that profiles use.

import {GrowingArray} from '../data/growing_array.js';

const VARINT = 0;
const BYTES = 2;

export class ProtoWriter {
  constructor() { this.out = new GrowingArray(Uint8Array); }

  get length() { return this.out.length; }

  clear() { this.out.length = 0; }

  /** @return {Uint8Array} valid until the next change */
  bytes() { return this.out.values.subarray(0, this.out.length); }

  /** Values above 2^53 have lost their lowest bits before; negative ones take ten bytes, as int64. */
  varint(value) {
    if (value < 0) return this.negative(value);
    for (; value >= 128; value = Math.floor(value / 128)) this.out.push(128 + value % 128);
    this.out.push(value);
    return undefined;
  }

  negative(value) {
    let bits = BigInt.asUintN(64, BigInt(value));
    for (; bits >= 128n; bits >>= 7n) this.out.push(Number(bits & 127n) | 128);
    this.out.push(Number(bits));
  }

  /** Writes a number; zero is the default and is not written. */
  number(field, value) {
    if (value === 0) return;
    this.varint(field * 8 + VARINT);
    this.varint(value);
  }

  /** @param {Uint8Array} bytes  a text, a message or packed numbers */
  message(field, bytes) {
    this.varint(field * 8 + BYTES);
    this.varint(bytes.length);
    for (let i = 0; i < bytes.length; i++) this.out.push(bytes[i]);
  }
}
