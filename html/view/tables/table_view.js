// A table view: sorted by any column, filtered by the search and by its own field, copied as text for spreadsheets. Rows open other views
// by click, Enter and menu.

import {hasPackage} from '../../model/data/kinds.js';
import {toCsv} from '../../model/text/columns.js';
import {fitLabel} from '../../model/text/labels.js';
import {formatCount} from '../../model/text/numbers.js';

import {byId, make} from '../dom.js';
import {figureCells, unitsOf, VirtualTable} from './virtual_table.js';

const LEAST_CHARACTERS = 8;
/** Of a mark before a name, in characters. */
const MARK_PADDING = 4;

/**
 * @typedef {Object} TableKind
 * @property {string} id @property {string} label  of the table, for screen readers
 * @property {import('./virtual_table.js').Column} name  the column with the row's name
 * @property {string} one @property {string} many  noun for one row and for several: method, methods
 * @property {function(Object): string} nameOf  a row
 * @property {boolean=} isRanking  the first rows matter: the row selected in another view is only marked, not scrolled to
 */

export class TableView {
  /**
   * @param {TableKind} kind
   * @param {Object} on  pick(item), menu(item, point), select(item), sort(viewState.sort), copy(text, its name)
   */
  constructor(kind, on) {
    this.kind = kind;
    this.on = on;
    this.items = [];
    this.element = make('section', {class: 'view-of-table', hidden: ''});
    this.note = make('p', {class: 'note', role: 'status'});
    this.host = make('div');
    this.element.append(make('div', {class: 'table-bar'}, this.note, this.makeFilter(), this.makeCopier()), this.host);
    byId('stage').insertBefore(this.element, byId('empty'));
  }

  makeFilter() {
    const {many} = this.kind;
    const label = `Filter ${many}`;
    this.filter = make('input', {type: 'search', class: 'table-filter', placeholder: label, 'aria-label': label, autocomplete: 'off', spellcheck: 'false'});
    this.filter.addEventListener('input', () => this.fill());
    this.filter.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.filter.value === '') return;
      event.stopPropagation();
      this.filter.value = '';
      this.fill();
    });
    return this.filter;
  }

  makeCopier() {
    const button = make('button', {type: 'button', class: 'copy-table', title: 'Copy these rows as comma-separated values'}, 'Copy as CSV');
    button.addEventListener('click', () => this.on.copy(this.csv(), `${formatCount(this.items.length)} rows`));
    return button;
  }

  /** @return {string} the rows shown, in their order */
  csv() {
    const {presenter, kind} = this;
    const extra = kind.extra ?? [];
    const heads = [kind.name.label, ...presenter.csvHeads, ...extra.map(({label}) => label)];
    return toCsv([heads, ...this.items.map((item) => [kind.nameOf(item), ...presenter.csvOf(item), ...extra.map(({id}) => item[id])])]);
  }

  /** Creates the table on first use, because its columns depend on the presenter. */
  makeTable(presenter) {
    this.table = new VirtualTable(this.host, {
      id: this.kind.id,
      label: this.kind.label,
      columns: [this.kind.name, ...presenter.columns, ...(this.kind.extra ?? [])],
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
   * @param {Object} scene presenter, palette, viewState, pattern (of the search, or null), canPick (whether rows open other views)
   * @param {Object[]} items  all rows @param {function(Object[]): string} noteOf  additional note on the rows shown
   */
  show({presenter, palette, viewState, pattern, canPick = true}, items, noteOf = () => '') {
    Object.assign(this, {presenter, palette, viewState, noteOf, canPick});
    if (!this.table) this.makeTable(presenter);
    this.all = items;
    this.found = pattern && !this.kind.ignoresSearch ? items.filter((item) => pattern.regex.test(this.kind.nameOf(item))) : items;
    this.order = viewState.sort || presenter.firstOrder;
    this.fill();
  }

  /** Shows the rows that the filter keeps. */
  fill() {
    const {presenter, viewState, all, kind: {nameOf, one, many}} = this;
    const wanted = this.filter.value.trim().toLowerCase();
    const shown = this.found.filter((item) => nameOf(item).toLowerCase().includes(wanted));
    this.items = this.sorted(shown);
    const active = viewState.method === '' ? -1 : this.items.findIndex(({name}) => name === viewState.method);
    this.table.showOrder(columnOf(this.order), this.wordOfOrder());
    this.table.showUnits(unitsOf(presenter));
    const {active: before} = this.table;
    this.table.show(this.items.length, active);
    if (active >= 0 && active !== before && !this.kind.isRanking) this.table.activate(active);
    const count = `${formatCount(shown.length)}${shown.length < all.length ? ` of ${formatCount(all.length)}` : ''} ${all.length === 1 ? one : many}`;
    const note = this.noteOf(shown);
    this.note.replaceChildren(...[count, ...(note ? [note] : [])].map((text) => make('span', {}, text)));
  }

  sorted(items) {
    const column = columnOf(this.order);
    const isSigned = this.presenter.isSigned(column);
    const sign = this.order.startsWith('-') && !isSigned ? 1 : -1;
    const {nameOf} = this.kind;
    const isText = column === this.kind.name.id;
    const keyOf = (item) => isText ? this.kind.keyOf?.(item) ?? nameOf(item) :
                                     item[column] !== undefined && this.isExtra(column) ? item[column] : this.presenter.sortKey(item, this.order);
    const keyed = items.map((item) => ({item, key: keyOf(item)}));
    const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    keyed.sort((a, b) => sign * compare(a.key, b.key) || compare(nameOf(a.item), nameOf(b.item)));
    return keyed.map(({item}) => item);
  }

  isExtra(column) { return (this.kind.extra ?? []).some(({id}) => id === column); }

  /**
   * @return {string} largest first, names from A; the same column again reverses it. Changes: by size,
   *     then growth first, then decrease first
   */
  orderAfter(column) {
    if (this.presenter.isSigned(column)) return {[column]: `+${column}`, [`+${column}`]: `-${column}`}[this.order] ?? column;
    if (column === this.order) return `-${column}`;
    if (`-${column}` === this.order) return column;
    return column === this.kind.name.id ? `-${column}` : column;
  }

  /** @return {string} for aria-sort */
  wordOfOrder() {
    const isEitherWay = this.presenter.isSigned(columnOf(this.order)) && !this.order.startsWith('+');
    return this.order.startsWith('-') ? 'ascending' : isEitherWay ? 'other' : 'descending';
  }

  cellsOf(item) {
    const {presenter, kind} = this;
    const name = kind.nameOf(item);
    const isLink = this.canPick && !kind.isPlain;
    const mark = presenter.markOf(item);
    const shown = this.shortened(name, item, mark === '' ? 0 : mark.length + MARK_PADDING);
    const label = make('span', {...(isLink && {class: 'link'}), title: name}, shown);
    return [[...this.swatchOf(item), ...(mark ? [make('span', {class: 'mark'}, mark)] : []), label], ...figureCells(presenter, item),
            ...(kind.extra ?? []).map(({id}) => formatCount(item[id]))];
  }

  /** Returns the end of a method's name, which is its most useful part, if there is no space for the whole. */
  shortened(name, {frame}, taken) {
    const {table} = this.presenter;
    if (!this.kind.isRanking || frame === undefined) return name;
    return fitLabel(name, Math.max(LEAST_CHARACTERS, this.table.characters - taken), hasPackage(table.kindOf(frame)));
  }

  /** Returns a swatch with the frame's colour in the graph, for rows of a single frame. */
  swatchOf({frame}) {
    if (frame === undefined || !this.presenter.shadeOfFrame) return [];
    const swatch = make('span', {class: 'swatch'});
    swatch.style.background = this.palette.plain[this.presenter.shadeOfFrame(frame)];
    return [swatch];
  }

  /** A click selects the row; a click on its name or Enter opens it. */
  pick(row, event) {
    if (!this.canPick || (event.type === 'click' && !event.target.closest('.link'))) return;
    this.on.pick(this.items[row]);
  }

  focus() { this.table?.table.focus(); }
}

/** Returns the column of a sort order (see ViewState.sort). */
function columnOf(order) { return order.replace(/^[-+]/, ''); }
