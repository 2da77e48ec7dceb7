// The always-on store: how it goes, its line over time, and what is opened and compared of it.

import {byId, make} from '../../view/dom.js';
import {announce} from '../../view/status.js';
import {sentenceOf} from '../model/api.js';
import {differencePath, factsOf, fieldOf, inOrder, profilePath, rangeOfFields, rangeText, timelinePath, ZOOMS} from '../model/store.js';
import {domainOf, LANES, pointsIn, rangeAfterKey, sumOf} from '../model/store_line.js';

import {showProblem} from './problem.js';
import {StoreChart} from './store_chart.js';
import {openTab} from './tab.js';

const HINT = 'Drag over a time to open it, with Shift to compare it with the one before.';

export class StoreView {
  /** @param {import('../model/api.js').Api} api @param {function(Error): boolean} onTrouble true when it was told */
  constructor(api, onTrouble) {
    this.api = api;
    this.onTrouble = onTrouble;
    this.points = [];
    this.zoom = ZOOMS[0];
    this.chart = new StoreChart(byId('store-line'), {
      choose: (range, how) => this.chosenByHand(range, how),
      look: (range) => this.hint(range ? rangeText(range) : ''),
    });
    byId('store-zoom').replaceChildren(...ZOOMS.map((zoom) => this.zoomButton(zoom)));
    byId('store-line').addEventListener('keydown', (event) => this.onKey(event));
    for (const id of ['store-from', 'store-to']) byId(id).addEventListener('input', () => this.readFields());
    byId('store-range').addEventListener('submit', (event) => {
      event.preventDefault();
      this.openFields();
    });
    byId('store-compare').addEventListener('click', () => this.pressCompare());
    byId('always-on').addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.other) this.wait(null);
    });
    this.hint('');
  }

  zoomButton(zoom) {
    const button = make('button', {type: 'button', 'aria-pressed': zoom === this.zoom}, zoom.label);
    button.addEventListener('click', () => {
      this.zoom = zoom;
      for (const one of byId('store-zoom').children) one.setAttribute('aria-pressed', one === button);
      this.load();
    });
    return button;
  }

  /** @param {?Object} store of a status; null: none runs */
  follow(store) {
    byId('always-on').hidden = !store;
    if (!store) {
      this.seen = '';
      return;
    }
    byId('store-facts').title = store.directory;
    byId('store-facts').replaceChildren(
        ...factsOf(store).map(({text, isWarning}) => make('span', isWarning ? {class: 'warn'} : {}, text)));
    // A new window is all that changes the line.
    const state = `${store.directory} ${store.windows_written}`;
    if (state === this.seen || this.chart.isDragged) return;
    this.seen = state;
    this.load();
  }

  async load() {
    const zoom = this.zoom;
    try {
      const {points} = await this.api.get(`/api/store/timeline${zoom.query}`);
      // Another was chosen meanwhile.
      if (zoom !== this.zoom || this.chart.isDragged) return;
      this.points = points;
      showProblem('store-problem', '');
    } catch (error) {
      // Stopped a moment ago.
      if (error.code === 'no_store' || this.onTrouble(error)) return;
      this.points = [];
      showProblem('store-problem', sentenceOf(error));
    }
    this.chart.show(this.points);
    // What is shown, until something is chosen.
    const isWritten = byId('store-range').contains(document.activeElement);
    if (!this.range && !isWritten && this.points.length > 0) this.fillFields(domainOf(this.points));
  }

  /** The last range is the one that Open opens; a first one is what it is compared with. */
  choose(range, other = null) {
    this.range = range;
    this.fillFields(range);
    this.showSides(other);
  }

  fillFields({from, to}) {
    byId('store-from').value = fieldOf(Math.floor(from / 1000) * 1000);
    byId('store-to').value = fieldOf(Math.ceil(to / 1000) * 1000);
  }

  showSides(compared = null) {
    const one = this.other ?? compared;
    if (!one) return this.chart.choose(this.range ? [{range: this.range, word: 'chosen'}] : []);
    if (!this.range || this.range === one) return this.chart.choose([{range: one, word: 'chosen'}]);
    const [before] = inOrder(one, this.range);
    return this.chart.choose([one, this.range].map((range) => ({range, word: range === before ? 'before' : 'after'})));
  }

  chosenByHand(range, {isDrag, isOther}) {
    const first = this.other ?? (isOther ? this.range : null);
    if (first && isDrag) return this.compare(first, range);
    this.choose(range);
    if (isDrag) this.open(range);
    return undefined;
  }

  /** Times that were written are as exact as they say; those that were dragged stay as they are. */
  readFields() {
    this.range = rangeOfFields(byId('store-from').value, byId('store-to').value);
    this.showSides();
  }

  requireRange() {
    this.range ??= rangeOfFields(byId('store-from').value, byId('store-to').value);
    showProblem('store-problem', this.range ? '' : 'Give a time to begin and a later one to end.');
    if (!this.range) byId('store-from').focus();
    return this.range;
  }

  openFields() {
    if (this.requireRange()) this.open(this.range);
  }

  /** Pressed once, the range that is chosen waits for another; pressed again with that, both are compared. */
  pressCompare() {
    if (!this.requireRange()) return;
    if (!this.other) return this.wait(this.range);
    if (this.other === this.range) return this.wait(null);
    return this.compare(this.other, this.range);
  }

  wait(range) {
    this.other = range;
    byId('store-compare').setAttribute('aria-pressed', range !== null);
    this.hint('');
    this.showSides();
  }

  hint(text) {
    const waits = this.other ? `Compare ${rangeText(this.other)} with: drag over another time, or write it and press Compare.` : HINT;
    byId('store-hint').textContent = text || waits;
  }

  compare(one, other) {
    this.wait(null);
    this.choose(other, one);
    return this.attempt(differencePath(...inOrder(one, other)), one, other);
  }

  open(range) { return this.attempt(profilePath(range), range); }

  async attempt(path, ...ranges) {
    try {
      // That nothing is stored of a time is said here, not in a new tab.
      for (const range of ranges) await this.api.get(timelinePath(range));
      await openTab(this.api, path);
      showProblem('store-problem', '');
    } catch (error) {
      if (!this.onTrouble(error)) showProblem('store-problem', sentenceOf(error));
    }
  }

  onKey(event) {
    if (this.points.length === 0) return;
    if (event.key === 'Enter') {
      event.stopPropagation();
      this.openFields();
      return;
    }
    const range = rangeAfterKey(this.points, this.range, event.key, event.shiftKey);
    if (!range) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(range);
    const sum = sumOf(pointsIn(this.points, range));
    announce(`${rangeText(range)}: ${LANES.map((lane) => `${lane.label} ${lane.format(lane.valueOf(sum))}`).join(', ')}`);
  }
}
