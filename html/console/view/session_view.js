// The running session: its figures, and the commands that end it.

import {byId, make} from '../../view/dom.js';
import {figuresOf} from '../model/session.js';

import {showProblem} from './problem.js';

const ACTIONS = ['stop', 'dump', 'cancel'];

export class SessionView {
  /** @param {{stop: Function, dump: Function, cancel: Function}} commands  each a promise */
  constructor(commands) {
    for (const action of ACTIONS) {
      byId(action).addEventListener('click', () => this.run(commands[action]));
    }
  }

  async run(command) {
    if (this.isBusy) return;
    this.isBusy = true;
    showProblem('session-problem', '');
    for (const action of ACTIONS) byId(action).setAttribute('aria-disabled', 'true');
    try {
      await command();
    } finally {
      this.isBusy = false;
      for (const action of ACTIONS) byId(action).removeAttribute('aria-disabled');
    }
  }

  clear() {
    showProblem('session-problem', '');
    byId('figures').replaceChildren();
  }

  show(session) {
    byId('session-title').textContent = `Profiling ${session.event}`;
    byId('figures').replaceChildren(...figuresOf(session).map(
        ({label, value, isWarning}) => make(
            'div', {class: isWarning ? 'figure warn' : 'figure'}, make('dt', {}, label), make('dd', {}, value))));
    const notes = session.quality.notes ?? [];
    byId('notes').replaceChildren(...notes.map((note) => make('li', {}, note)));
    byId('notes').hidden = notes.length === 0;
  }
}
