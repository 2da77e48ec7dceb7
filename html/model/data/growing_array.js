// A typed array that grows at its end. `values` may be longer than `length`; growing replaces it.

export class GrowingArray {
  constructor(Type, capacity = 1024) {
    this.values = new Type(capacity);
    this.length = 0;
  }

  push(value) {
    if (this.length === this.values.length) {
      const larger = new this.values.constructor(2 * this.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}
