// The always-on store: its status, its timeline, opening and comparing ranges.

import {byId, make} from '../../view/dom.js';
import {announce} from '../../view/status.js';
import {sentenceOf} from '../model/api.js';
import {differencePath, factsOf, fieldOf, inOrder, profilePath, rangeOfFields, rangeText, timelinePath, ZOOMS} from '../model/store.js';
import {domainOf, LANES, pointsIn, rangeAfterKey, sumOf} from '../model/store_line.js';

import {showProblem} from './problem.js';
import {StoreChart} from './store_chart.js';
import {openTab} from './tab.js';

const HINT = 'Drag to select and open a time range. Shift+drag compares it with the previous selection.';

export class StoreView {
  /** @param {import('../model/api.js').Api} api @param {function(Error): boolean} onTrouble true if it was reported */
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

  /** @param {?Object} store of a status; null: no store */
  follow(store) {
    byId('always-on').hidden = !store;
    if (!store) {
      this.seen = '';
      return;
    }
    byId('store-facts').title = store.directory;
    byId('store-facts').replaceChildren(
        ...factsOf(store).map(({text, isWarning}) => make('span', isWarning ? {class: 'warn'} : {}, text)));
    // Only a new window changes the line.
    const state = `${store.directory} ${store.windows_written}`;
    if (state === this.seen || this.chart.isDragged) return;
    this.seen = state;
    this.load();
  }

  async load() {
    const zoom = this.zoom;
    try {
      const {points} = await this.api.get(`/api/store/timeline${zoom.query}`);
      // Another zoom was selected meanwhile.
      if (zoom !== this.zoom || this.chart.isDragged) return;
      this.points = points;
      showProblem('store-problem', '');
    } catch (error) {
      // The store was just stopped.
      if (error.code === 'no_store' || this.onTrouble(error)) return;
      this.points = [];
      showProblem('store-problem', sentenceOf(error));
    }
    this.chart.show(this.points);
    // Default of the fields: the range shown.
    const isWritten = byId('store-range').contains(document.activeElement);
    if (!this.range && !isWritten && this.points.length > 0) this.fillFields(domainOf(this.points));
  }

  /** Selects the range for Open, and optionally the range to compare it with. */
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

  /** Takes typed times exactly; dragged ranges cover whole points. */
  readFields() {
    this.range = rangeOfFields(byId('store-from').value, byId('store-to').value);
    this.showSides();
  }

  requireRange() {
    this.range ??= rangeOfFields(byId('store-from').value, byId('store-to').value);
    showProblem('store-problem', this.range ? '' : 'Enter a start time and a later end time.');
    if (!this.range) byId('store-from').focus();
    return this.range;
  }

  openFields() {
    if (this.requireRange()) this.open(this.range);
  }

  /** First press: remembers the selected range. Second press, with another range: compares both. */
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
    const waits = this.other ? `Compare ${rangeText(this.other)} with: drag over another range, or enter its times and press Compare.` : HINT;
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
      // Report an empty range here instead of in a new tab.
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
