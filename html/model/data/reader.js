// Sequential reader of the page's payload: varints, names, columns.

export class DataError extends Error {}

export class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  left() { return this.bytes.length - this.at; }

  byte() {
    if (this.at >= this.bytes.length) throw new DataError('the data ends early');
    return this.bytes[this.at++];
  }

  /** Values above 2^53 lose their lowest bits. Uses no shifts, which are limited to 2^32. */
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

  /** Zigzag encoding: small numbers of either sign are short. */
  signed() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
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

  /** Reads texts, each stored as the length of the prefix shared with the previous one and its remainder. */
  texts(count) {
    const texts = new Array(count);
    const decoder = new TextDecoder();
    let buffer = new Uint8Array(1024);
    let length = 0;
    for (let i = 0; i < count; i++) {
      const shared = this.varint();
      if (shared > length) throw new DataError(`text ${i} shares ${shared} bytes with one of ${length}`);
      const fresh = this.take(this.varint());
      length = shared + fresh.length;
      if (length > buffer.length) {
        const larger = new Uint8Array(2 * length);
        larger.set(buffer.subarray(0, shared));
        buffer = larger;
      }
      buffer.set(fresh, shared);
      texts[i] = decoder.decode(buffer.subarray(0, length));
    }
    return texts;
  }

  /**
   * Fills `target` from index `from` with indexes below `limit`.
   * @template {Uint16Array|Uint32Array} T @param {T} target @return {T}
   */
  indexes(target, from, limit, what) {
    const {bytes} = this;
    let at = this.at;
    for (let i = from; i < target.length; i++) {
      let value = bytes[at++];
      if (value >= 128) {
        this.at = at - 1;
        value = this.varint();
        at = this.at;
      }
      if (!(value < limit)) throw new DataError(value === undefined ? 'the data ends early' : `${what} ${value} of ${limit}`);
      target[i] = value;
    }
    this.at = at;
    return target;
  }

  /** Skips a column. @return {Column} decoded on demand */
  column(count) {
    const {bytes} = this;
    const begin = this.at;
    let at = begin;
    for (let left = count; left > 0; left--) {
      while (bytes[at] >= 128) at++;
      at++;
    }
    if (at > bytes.length) throw new DataError('the data ends early');
    this.at = at;
    return new Column(bytes.subarray(begin, at), count);
  }
}

/** An encoded column. Not every column of a profile is shown, so it is decoded on demand. */
class Column {
  constructor(bytes, count) {
    this.bytes = bytes;
    this.count = count;
  }

  /** @return {Float64Array} */
  values() {
    const values = new Float64Array(this.count);
    const {bytes} = this;
    let at = 0;
    for (let i = 0; i < values.length; i++) {
      let byte = bytes[at++];
      let value = byte & 0x7f;
      for (let scale = 128; byte >= 0x80; scale *= 128) {
        byte = bytes[at++];
        value += (byte & 0x7f) * scale;
      }
      values[i] = value;
    }
    return values;
  }
}
