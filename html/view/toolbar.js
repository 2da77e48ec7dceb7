// The controls above the views: view, search, value, direction, order, theme, help.

import {formatCount, formatShare, lensName} from '../model/text/numbers.js';
import {lensesOf} from '../model/view_state.js';

import {byId, make} from './dom.js';
import {Tabs} from './tabs.js';

const TYPING_PAUSE_MILLISECONDS = 90;

export class Toolbar {
  /** @param {import('./commands.js').Commands} commands @param {string[]} views  available views @param {boolean} isDifference */
  constructor(commands, views, isDifference) {
    this.commands = commands;
    this.views = views;
    this.tabs = new Tabs(views, (view) => commands.view(view));
    this.field = byId('search');
    this.field.addEventListener('input', () => this.searchSoon());
    // Search for typed text before handling further keys.
    this.field.addEventListener('blur', () => this.searchWaiting());
    this.field.addEventListener('keydown', (event) => this.onSearchKey(event));
    byId('previous-match').addEventListener('click', () => commands.nextMatch(-1));
    byId('next-match').addEventListener('click', () => commands.nextMatch(1));
    for (const name of ['icicle', 'byWidth', 'theme']) {
      byId(`toggle-${name}`).addEventListener('click', () => commands[name]());
    }
    byId('toggle-idle').addEventListener('click', () => commands.idle());
    byId('group-by').addEventListener('change', ({target}) => commands.groupBy(target.value));
    byId('show-all').addEventListener('click', () => commands.showAll());
    byId('save').addEventListener('click', (event) => commands.save(event.currentTarget));
    this.isDifference = isDifference;
    if (isDifference) this.addChoices();
    byId('open-help').addEventListener('click', () => commands.help());
    byId('close-help').addEventListener('click', () => commands.help());
  }

  /** @param {Object} header of the page's data */
  showLenses(header) {
    const types = lensesOf(header).map((lens) => header.values[lens].type).join();
    // Replacing the same buttons would lose the focus.
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

  /** @param {string[]} keys  of labels, the most useful ones first @param {string} chosen  '': none */
  showGroups(keys, chosen) {
    const select = byId('group-by');
    select.hidden = keys.length === 0;
    if (keys.join('\n') !== this.keys) {
      this.keys = keys.join('\n');
      select.replaceChildren(make('option', {value: ''}, 'Group by…'), ...keys.map((key) => make('option', {value: key}, `By ${key}`)));
    }
    select.value = keys.includes(chosen) ? chosen : '';
    select.classList.toggle('chosen', select.value !== '');
  }

  /** @param {boolean} isHidden  whether idle threads are @param {number} share  of the value that they have; 0: there are none */
  showIdle(isHidden, share) {
    byId('toggle-idle').hidden = share === 0;
    byId('toggle-idle').setAttribute('aria-pressed', isHidden);
    byId('toggle-idle').textContent = isHidden ? `Idle hidden: ${formatShare(share, 1)}` : 'Hide idle';
  }

  /** Adds the controls of a difference. */
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
    // From now on n and N are commands, not text.
    this.commands.toStage();
    this.commands.nextMatch(event.shiftKey ? -1 : 1);
  }

  focusSearch() {
    this.field.focus();
    this.field.select();
  }

  /** Clears the search field, or leaves it if it is empty. @return {boolean} false if the field has no focus */
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

  /** @param {import('../model/view_state.js').ViewState} place */
  showViewState(viewState) {
    if (document.activeElement !== this.field) this.field.value = viewState.search;
    this.tabs.show(viewState.view);
    for (const name of ['icicle', 'byWidth']) byId(`toggle-${name}`).setAttribute('aria-pressed', viewState[name]);
    const isGraph = ['flame', 'callers', 'sandwich'].includes(viewState.view);
    // Disabled, not hidden, so that the other controls do not move.
    byId('toggle-byWidth').disabled = !isGraph;
    byId('toggle-icicle').disabled = !isGraph || viewState.view === 'sandwich';
    byId('save').disabled = byId('toggle-icicle').disabled && this.isDifference;
    [...byId('lenses').children].forEach(
        (button, i) => button.setAttribute('aria-pressed', this.lenses[i] === viewState.lens));
    for (const choice of ['scale', 'width']) {
      for (const button of byId(`choose-${choice}`).children)
        button.setAttribute('aria-pressed', button.value === viewState[choice]);
    }
  }

  /** @param {?Object} result of the search; null: no search */
  showResult(result) {
    byId('steps').hidden = !result || result.nodes === 0;
    byId('position').textContent = result ? `${formatCount(result.places)} match${result.places === 1 ? '' : 'es'}` : '';
    const nothing = result?.isRefused ? 'too slow' : 'no match';
    byId('matched').textContent = !result ? '' : result.nodes === 0 ? nothing : result.share;
    byId('matched').title = result && !result.isRefused ? `${result.value} in matching stacks, ${formatCount(result.nodes)} frames` : '';
    byId('search-problem').textContent = result?.problem ?? '';
    byId('search-problem').hidden = !result?.problem;
    this.field.setAttribute('aria-invalid', Boolean(result?.problem));
  }

  showPosition(at, count) { byId('position').textContent = `${formatCount(at)}/${formatCount(count)}`; }
}

function capitalised(text) { return text.charAt(0).toUpperCase() + text.slice(1); }
