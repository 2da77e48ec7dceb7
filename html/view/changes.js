// The table of methods that changed, sorted by any column; a row leads to the method in the graph.

import {isAllNoise} from '../model/difference.js';
import {formatCount} from '../model/numbers.js';
import {finish} from '../model/work.js';

import {byId, make} from './dom.js';

const MOST_ROWS = 500;
const COLUMNS = [
  {part: 'self', field: 'before', label: 'Before'},
  {part: 'self', field: 'after', label: 'After'},
  {part: 'self', field: 'change', label: 'Change'},
  {part: 'total', field: 'before', label: 'Before'},
  {part: 'total', field: 'after', label: 'After'},
  {part: 'total', field: 'change', label: 'Change'},
];

export class Changes {
  /** @param {function(string)} onPick with a method's name */
  constructor(onPick) {
    this.element = byId('changes');
    this.onPick = onPick;
    this.sorted = 2;
    this.descending = true;
    byId('close-changes').addEventListener('click', () => this.close());
    byId('changes-noise').addEventListener('change', () => this.fill());
    this.addHeads();
  }

  get isOpen() { return this.element.open; }

  /** @param {import('./difference_reading.js').DifferenceReading} reading */
  open(reading) {
    this.reading = reading;
    this.methods = finish(reading.callTree.methods());
    this.fill();
    this.element.showModal();
    byId('changes-title').focus();
  }

  close() { this.element.close(); }

  addHeads() {
    this.heads = COLUMNS.map(({label}, i) => {
      const button = make('button', {type: 'button'}, label);
      button.addEventListener('click', () => this.sortBy(i));
      return make('th', {scope: 'col'}, button);
    });
    byId('changes-heads').replaceChildren(...this.heads, make('th', {scope: 'col', class: 'name'}, 'Method'));
  }

  sortBy(column) {
    this.descending = column === this.sorted ? !this.descending : true;
    this.sorted = column;
    this.fill();
  }

  fill() {
    const showsNoise = byId('changes-noise').checked;
    const shown = this.methods.filter((method) => showsNoise || !isAllNoise(method));
    shown.sort((a, b) => this.compare(a, b));
    this.heads.forEach((head, i) => {
      head.setAttribute('aria-sort', i !== this.sorted ? 'none' : this.descending ? 'descending' : 'ascending');
    });
    byId('changes-rows').replaceChildren(...shown.slice(0, MOST_ROWS).map((method) => this.row(method)));
    const isOfShares = this.reading.place.scale === 'shares';
    const hidden = this.methods.length - shown.length;
    const parts = [`${formatCount(shown.length)} of ${formatCount(this.methods.length)} methods`];
    if (shown.length > MOST_ROWS) parts.push(`the first ${formatCount(MOST_ROWS)} are shown`);
    if (hidden > 0) parts.push(`${formatCount(hidden)} changed by no more than chance explains`);
    if (isOfShares) parts.push('changes are points of all');
    byId('changes-count').textContent = parts.join(' · ');
  }

  /** Changes by how large they are, whichever way. */
  compare(a, b) {
    const {part, field} = COLUMNS[this.sorted];
    const size = (method) => field === 'change' ? Math.abs(method[part].change) : method[part][field];
    const order = size(b) - size(a) || Math.abs(b.total.change) - Math.abs(a.total.change) || (a.name < b.name ? -1 : 1);
    return this.descending ? order : -order;
  }

  row(method) {
    const cells = COLUMNS.map(({part, field}) => {
      const change = method[part];
      if (field !== 'change') return make('td', {}, this.reading.format(change[field]));
      const look = change.isNoise ? 'noise' : change.change > 0 ? 'grew' : 'shrank';
      return make('td', {class: look}, this.reading.formatChange(change, ''));
    });
    const {word} = method.total;
    const button = make('button', {type: 'button', title: method.name}, method.name);
    button.addEventListener('click', () => {
      this.close();
      this.onPick(method.name);
    });
    const mark = word === 'new' || word === 'vanished' ? [make('span', {class: 'mark'}, word)] : [];
    return make('tr', {}, ...cells, make('td', {class: 'name'}, button, ...mark));
  }
}
