// Runs generators, either to completion or in slices between which the page handles events. A generator yields nothing, or a promise
// that it waits for.

// Milliseconds. The first slice leaves time to draw its result before a delay becomes noticeable.
const FIRST_SLICE = 20;
const SLICE = 12;

/** Runs a generator to completion. @return its result */
export function finish(steps) {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

/** A single task: starting another one cancels it. */
export class Work {
  constructor() {
    this.steps = null;
    this.channel = null;
  }

  get isBusy() { return this.steps !== null; }

  /**
   * Runs the first slice immediately. If it is enough, calls `onDone` before returning, else later.
   * @param {Generator} steps @param {function(*)} onDone @param {function(Error)} onError
   */
  start(steps, onDone, onError) { this.take(steps, onDone, onError)(FIRST_SLICE); }

  /** Same as start(), but runs nothing immediately. */
  startLater(steps, onDone, onError) {
    const run = this.take(steps, onDone, onError);
    this.later(() => run(SLICE));
  }

  /** @return {function(number)} runs the task for this many milliseconds */
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

  /** Runs a part of the task, unless it was cancelled. */
  guard(steps, onError, act) {
    if (this.steps !== steps) return;
    try {
      act();
    } catch (error) {
      if (this.steps === steps) this.leave();
      onError(error);
    }
  }

  /** Runs sooner than a timer, and after pending input events. */
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
