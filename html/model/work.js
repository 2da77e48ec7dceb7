// Drives generators that compute something: at once, or in slices between which the page lives on. What they yield is nothing, or a
// promise that they wait for.

// Milliseconds. What is done with the result comes on top of the first slice, and is to end before somebody waits.
const FIRST_SLICE = 20;
const SLICE = 12;

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
   * The first slice runs at once; when it is enough, `onDone` is called before this returns, else between two slices.
   * @param {Generator} steps @param {function(*)} onDone @param {function(Error)} onError
   */
  start(steps, onDone, onError) { this.take(steps, onDone, onError)(FIRST_SLICE); }

  /** As start(), but nothing runs at once. */
  startLater(steps, onDone, onError) {
    const run = this.take(steps, onDone, onError);
    this.later(() => run(SLICE));
  }

  /** @return {function(number)} that does so many milliseconds of it */
  take(steps, onDone, onError) {
    this.cancel();
    this.steps = steps;
    const finishWith = (value) => {
      this.leave();
      onDone(value);
    };
    const run = (milliseconds) => this.guard(steps, onError, () => {
      const end = performance.now() + milliseconds;
      do {
        const {done, value} = steps.next();
        if (!done && value instanceof Promise) return this.wait(value, steps, onError, () => run(SLICE));
        if (!done) continue;
        if (milliseconds === FIRST_SLICE && performance.now() < end) return finishWith(value);
        return this.later(() => this.guard(steps, onError, () => finishWith(value)));
      } while (performance.now() < end);
      return this.later(() => run(SLICE));
    });
    return run;
  }

  wait(promise, steps, onError, goOn) {
    const fail = (error) => this.guard(steps, onError, () => { throw error; });
    promise.then(() => this.guard(steps, onError, goOn), fail);
  }

  /** Does a part of the work, unless it has been dropped. */
  guard(steps, onError, act) {
    if (this.steps !== steps) return;
    try {
      act();
    } catch (error) {
      if (this.steps === steps) this.leave();
      onError(error);
    }
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
