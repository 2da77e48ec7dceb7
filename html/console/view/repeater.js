// Repeats work while the tab is visible, never twice at the same time.

export class Repeater {
  /** @param {function(): Promise} work @param {function(): number} pause  milliseconds from its end to the next */
  constructor(work, pause) {
    this.work = work;
    this.pause = pause;
    this.isOn = false;
    document.addEventListener('visibilitychange', () => this.isOn && this.now());
  }

  start() {
    if (this.isOn) return;
    this.isOn = true;
    this.now();
  }

  stop() {
    this.isOn = false;
    clearTimeout(this.waiting);
  }

  /** Runs the work without delay, after waiting for a run in progress. */
  async now() {
    clearTimeout(this.waiting);
    if (!this.isOn || document.hidden) return;
    if (this.running) {
      await this.running;
      return this.now();
    }
    this.running = this.work();
    try {
      await this.running;
    } finally {
      this.running = null;
    }
    clearTimeout(this.waiting);
    if (this.isOn) this.waiting = setTimeout(() => this.now(), this.pause());
  }
}
