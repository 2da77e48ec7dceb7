// Drives generators that compute something: at once, or in slices between which the page lives on.

const FIRST_SLICE = 40;
const SLICE = 10;

/** @return the result of a generator, however long it takes */
export function finish(steps) {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

/** Of one purpose: what is begun later drops what is under way. */
export class Work {
  constructor() {
    this.steps = null;
    this.channel = null;
  }

  get isBusy() { return this.steps !== null; }

  /**
   * The first slice runs at once; when it is enough, `onDone` is called before this returns.
   * @param {Generator} steps @param {function(*)} onDone @param {function(Error)} onError
   */
  start(steps, onDone, onError) {
    this.cancel();
    this.steps = steps;
    const run = (milliseconds) => {
      if (this.steps !== steps) return;
      try {
        const end = performance.now() + milliseconds;
        do {
          const {done, value} = steps.next();
          if (!done) continue;
          this.leave();
          return onDone(value);
        } while (performance.now() < end);
      } catch (error) {
        if (this.steps === steps) this.leave();
        return onError(error);
      }
      this.later(() => run(SLICE));
    };
    run(FIRST_SLICE);
  }

  /** Sooner than a timer, and behind what the reader did in between. */
  later(call) {
    this.channel ??= new MessageChannel();
    this.channel.port1.onmessage = call;
    this.channel.port2.postMessage(null);
  }

  leave() {
    this.steps = null;
    this.channel?.port1.close();
    this.channel = null;
  }

  cancel() {
    const {steps} = this;
    if (steps === null) return;
    this.leave();
    steps.return();
  }
}
