// The live flame graph of the running session, refreshed every few seconds.

import {DataError} from '../../model/data/decode.js';
import {formatDuration} from '../../model/text/numbers.js';
import {byId} from '../../view/dom.js';
import {profileOf} from '../model/live_profile.js';
import {pauseAfter} from '../model/pace.js';

import {Repeater} from './repeater.js';

const MILLISECOND = 1e6;

export class Live {
  /**
   * @param {function(): number} sessionOf  the number of the session to show
   * @param {function(Error)} onTrouble  reports errors that concern the whole page
   */
  constructor(api, app, sessionOf, onTrouble) {
    this.api = api;
    this.app = app;
    this.sessionOf = sessionOf;
    this.onTrouble = onTrouble;
    this.cost = 0;
    this.repeater = new Repeater(() => this.refresh(), () => pauseAfter(this.cost));
    byId('pause').addEventListener('click', () => this.togglePause());
  }

  /** @param {boolean} isRunning  whether there is a session; resets the graph */
  follow(isRunning) {
    this.repeater.stop();
    this.isNew = true;
    this.setPaused(false);
    if (isRunning) this.repeater.start();
  }

  togglePause() {
    this.setPaused(!this.isPaused);
    if (this.isPaused) {
      this.repeater.stop();
    } else {
      this.repeater.start();
    }
  }

  setPaused(isPaused) {
    this.isPaused = isPaused;
    byId('pause').setAttribute('aria-pressed', isPaused);
    this.showPace();
  }

  async refresh() {
    if (this.isBlocked) return;
    const began = performance.now();
    try {
      const profile = await profileOf(await this.api.text(`/api/live?format=html&session=${this.sessionOf()}`));
      this.cost = performance.now() - began;
      if (!this.repeater.isOn || this.isBlocked) return;
      this.app.replace(profile, this.isNew);
      this.isNew = false;
      this.showPace();
    } catch (error) {
      if (error instanceof DataError) {
        byId('pace').textContent = `Cannot show the profile: ${error.message}.`;
      } else if (error.code !== 'no_session') {
        this.onTrouble(error);
      }
    }
  }

  /** Whether a menu is open, which a new tree would close. */
  get isBlocked() { return this.app.menu.isOpen; }

  showPace() {
    const every = pauseAfter(this.cost);
    const why = every > pauseAfter(0) ? ` (a refresh takes ${formatDuration(this.cost * MILLISECOND)})` : '';
    const text = this.isPaused ? 'paused' : `refreshed every ${Math.round(every / 1000)} s${why}`;
    if (byId('pace').textContent !== text) byId('pace').textContent = text;
  }
}
