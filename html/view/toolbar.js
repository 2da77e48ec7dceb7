// The controls above the views: which view, search, value, direction, order, theme, help.

import {formatCount, lensName} from '../model/numbers.js';
import {lensesOf} from '../model/place.js';

import {byId, make} from './dom.js';
import {Tabs} from './tabs.js';

const TYPING_PAUSE_MILLISECONDS = 90;

export class Toolbar {
  /** @param {import('./commands.js').Commands} commands @param {string[]} views  that there are @param {boolean} isDifference */
  constructor(commands, views, isDifference) {
    this.commands = commands;
    this.views = views;
    this.tabs = new Tabs(views, (view) => commands.view(view));
    this.field = byId('search');
    this.field.addEventListener('input', () => this.searchSoon());
    // What was typed counts before the keys that follow.
    this.field.addEventListener('blur', () => this.searchWaiting());
    this.field.addEventListener('keydown', (event) => this.onSearchKey(event));
    byId('previous-match').addEventListener('click', () => commands.nextMatch(-1));
    byId('next-match').addEventListener('click', () => commands.nextMatch(1));
    for (const name of ['icicle', 'byWidth', 'theme']) {
      byId(`toggle-${name}`).addEventListener('click', () => commands[name]());
    }
    byId('show-all').addEventListener('click', () => commands.showAll());
    byId('save').addEventListener('click', (event) => commands.save(event.currentTarget));
    if (isDifference) this.addChoices();
    byId('open-help').addEventListener('click', () => commands.help());
    byId('close-help').addEventListener('click', () => commands.help());
  }

  /** @param {Object} header of the page's data */
  showLenses(header) {
    const types = lensesOf(header).map((lens) => header.values[lens].type).join();
    // The same buttons would lose the reader's focus.
    if (types === this.types) return;
    this.types = types;
    this.lenses = lensesOf(header);
    byId('lenses').hidden = this.lenses.length < 2;
    byId('lenses').replaceChildren(...this.lenses.map((lens) => {
      const button = make('button', {type: 'button'}, capitalised(lensName(header.values[lens])));
      button.addEventListener('click', () => this.commands.lens(lens));
      return button;
    }));
  }

  /** What a difference can be shown by. */
  addChoices() {
    for (const choice of ['scale', 'width']) {
      const buttons = [...byId(`choose-${choice}`).children];
      byId(`choose-${choice}`).hidden = false;
      for (const button of buttons) button.addEventListener('click', () => this.commands[choice](button.value));
    }
  }

  searchSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.searchNow(), TYPING_PAUSE_MILLISECONDS);
  }

  searchWaiting() {
    if (this.waiting !== undefined) this.searchNow();
  }

  searchNow() {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.commands.search(this.field.value);
  }

  onSearchKey(event) {
    if (event.key !== 'Enter') return;
    this.searchWaiting();
    this.commands.nextMatch(event.shiftKey ? -1 : 1);
  }

  focusSearch() {
    this.field.focus();
    this.field.select();
  }

  /** Empties the search field, or leaves it when it is empty. @return {boolean} false when the field has no focus */
  leaveSearch() {
    if (document.activeElement !== this.field) return false;
    if (this.field.value === '') {
      this.field.blur();
    } else {
      this.field.value = '';
      this.searchNow();
    }
    return true;
  }

  /** @param {import('../model/place.js').Place} place */
  showPlace(place) {
    if (document.activeElement !== this.field) this.field.value = place.search;
    this.tabs.show(place.view);
    for (const name of ['icicle', 'byWidth']) byId(`toggle-${name}`).setAttribute('aria-pressed', place[name]);
    const isGraph = ['flame', 'callers', 'sandwich'].includes(place.view);
    // Not hidden: what stands beside them would jump.
    byId('toggle-byWidth').disabled = !isGraph;
    byId('toggle-icicle').disabled = !isGraph || place.view === 'sandwich';
    byId('save').disabled = byId('toggle-icicle').disabled;
    [...byId('lenses').children].forEach(
        (button, i) => button.setAttribute('aria-pressed', this.lenses[i] === place.lens));
    for (const choice of ['scale', 'width']) {
      for (const button of byId(`choose-${choice}`).children)
        button.setAttribute('aria-pressed', button.value === place[choice]);
    }
  }

  /** @param {?Object} result of the search, null when there is none */
  showResult(result) {
    byId('steps').hidden = !result || result.nodes === 0;
    byId('position').textContent = result ? `${formatCount(result.places)} place${result.places === 1 ? '' : 's'}` : '';
    const nothing = result?.isRefused ? 'too slow' : 'no match';
    byId('matched').textContent = !result ? '' : result.nodes === 0 ? nothing : result.share;
    byId('matched').title = result && !result.isRefused ? `${result.value} in stacks with a match, ${formatCount(result.nodes)} frames` : '';
    byId('search-problem').textContent = result?.problem ?? '';
    byId('search-problem').hidden = !result?.problem;
    this.field.setAttribute('aria-invalid', Boolean(result?.problem));
  }

  showPosition(at, count) { byId('position').textContent = `${formatCount(at)}/${formatCount(count)}`; }
}

function capitalised(text) { return text.charAt(0).toUpperCase() + text.slice(1); }
