// A view that is a table: sorted by any column, narrowed by the search, its rows lead on by click, Enter and menu.

import {formatCount} from '../model/numbers.js';

import {byId, make} from './dom.js';
import {figureCells, VirtualTable} from './virtual_table.js';

/**
 * @typedef {Object} TableKind
 * @property {string} id @property {string} label  of the table, for screen readers
 * @property {import('./virtual_table.js').Column} name  the column of what a row is about
 * @property {string} many  what rows are: methods, packages
 * @property {function(Object): string} nameOf  a row
 * @property {boolean=} isRanking  what is first is what the reader comes for: the row that he was with elsewhere is marked only
 */

export class TableView {
  /**
   * @param {TableKind} kind
   * @param {Object} on  pick(item), menu(item, point), select(item), sort(place.sort)
   */
  constructor(kind, on) {
    this.kind = kind;
    this.on = on;
    this.items = [];
    this.element = make('section', {class: 'view-of-table', hidden: ''});
    this.note = make('p', {class: 'note', role: 'status'});
    this.host = make('div');
    this.element.append(this.note, this.host);
    byId('stage').insertBefore(this.element, byId('empty'));
  }

  /** The columns are the reading's, which is known once there is something to show. */
  makeTable(reading) {
    this.table = new VirtualTable(this.host, {
      id: this.kind.id,
      label: this.kind.label,
      columns: [...reading.columns, ...(this.kind.extra ?? []), this.kind.name],
      cells: (row) => this.cellsOf(this.items[row]),
      attributes: (row) => this.items[row].isMarked ? {class: 'marked'} : {},
      on: {
        sort: (column) => this.on.sort(this.orderAfter(column)),
        pick: (row, event) => this.pick(row, event),
        menu: (row, point) => this.on.menu(this.items[row], point),
        activate: (row) => this.on.select(this.items[row]),
      },
    });
  }

  /**
   * @param {Object} sight reading, palette, place, pattern (of the search, or null), canPick (whether rows lead on)
   * @param {Object[]} items  all there are @param {function(Object[]): string} noteOf  what else is to be said of those that are shown
   */
  show({reading, palette, place, pattern, canPick = true}, items, noteOf = () => '') {
    Object.assign(this, {reading, palette});
    this.canPick = canPick;
    if (!this.table) this.makeTable(reading);
    const {nameOf} = this.kind;
    const shown = pattern && !this.kind.ignoresSearch ? items.filter((item) => pattern.regex.test(nameOf(item))) : [...items];
    this.order = place.sort || reading.firstOrder;
    this.items = this.sorted(shown);
    const active = place.method === '' ? -1 : this.items.findIndex(({name}) => name === place.method);
    this.table.showOrder(columnOf(this.order), this.wordOfOrder());
    const {active: before} = this.table;
    this.table.show(this.items.length, active);
    if (active >= 0 && active !== before && !this.kind.isRanking) this.table.activate(active);
    const count = `${formatCount(shown.length)}${shown.length < items.length ? ` of ${formatCount(items.length)}` : ''} ${this.kind.many}`;
    const note = noteOf(shown);
    this.note.replaceChildren(...[count, ...(note ? [note] : [])].map((text) => make('span', {}, text)));
  }

  sorted(items) {
    const column = columnOf(this.order);
    const isSigned = this.reading.isSigned(column);
    const sign = this.order.startsWith('-') && !isSigned ? 1 : -1;
    const {nameOf} = this.kind;
    const isText = column === this.kind.name.id;
    const keyOf = (item) => isText ? this.kind.keyOf?.(item) ?? nameOf(item) :
                                     item[column] !== undefined && this.isExtra(column) ? item[column] : this.reading.sortKey(item, this.order);
    const keyed = items.map((item) => ({item, key: keyOf(item)}));
    const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    keyed.sort((a, b) => sign * compare(a.key, b.key) || compare(nameOf(a.item), nameOf(b.item)));
    return keyed.map(({item}) => item);
  }

  isExtra(column) { return (this.kind.extra ?? []).some(({id}) => id === column); }

  /**
   * @return {string} largest first, names from A; the same column again turns it over. Of changes first the largest whichever
   *     way, then what grew, then what shrank
   */
  orderAfter(column) {
    if (this.reading.isSigned(column)) return {[column]: `+${column}`, [`+${column}`]: `-${column}`}[this.order] ?? column;
    if (column === this.order) return `-${column}`;
    if (`-${column}` === this.order) return column;
    return column === this.kind.name.id ? `-${column}` : column;
  }

  /** @return {string} for aria-sort */
  wordOfOrder() {
    const isEitherWay = this.reading.isSigned(columnOf(this.order)) && !this.order.startsWith('+');
    return this.order.startsWith('-') ? 'ascending' : isEitherWay ? 'other' : 'descending';
  }

  cellsOf(item) {
    const {reading, kind} = this;
    const name = kind.nameOf(item);
    const isLink = this.canPick && !kind.isPlain;
    const label = isLink ? make('span', {class: 'link', title: name}, name) : make('span', {title: name}, name);
    const mark = reading.markOf(item);
    return [...figureCells(reading, item), ...(kind.extra ?? []).map(({id}) => formatCount(item[id])),
            [...this.swatchOf(item), ...(mark ? [make('span', {class: 'mark'}, mark)] : []), label]];
  }

  /** The colour that its frames have in the graph, where it is of one. */
  swatchOf({frame}) {
    if (frame === undefined || !this.reading.shadeOfFrame) return [];
    const swatch = make('span', {class: 'swatch'});
    swatch.style.background = this.palette.plain[this.reading.shadeOfFrame(frame)];
    return [swatch];
  }

  /** A click selects the row, on its name or by Enter it leads on. */
  pick(row, event) {
    if (!this.canPick || (event.type === 'click' && !event.target.closest('.link'))) return;
    this.on.pick(this.items[row]);
  }

  focus() { this.table?.table.focus(); }
}

/** Of an order as place.sort has it. */
function columnOf(order) { return order.replace(/^[-+]/, ''); }
