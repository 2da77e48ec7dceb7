// A typed array that grows at its end. `values` may be longer than `length`, and is another array after it has grown.

export class GrowingArray {
  constructor(Type, capacity = 1024) {
    this.values = new Type(capacity);
    this.length = 0;
  }

  push(value) {
    if (this.length === this.values.length) this.reserve(this.length + 1);
    this.values[this.length++] = value;
  }

  resize(length) {
    if (length > this.values.length) this.reserve(length);
    this.length = length;
  }

  reserve(capacity) {
    const larger = new this.values.constructor(Math.max(capacity, 2 * this.values.length));
    larger.set(this.values);
    this.values = larger;
  }
}
