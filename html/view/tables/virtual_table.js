// A virtual table of any length: only visible rows are in the document. One row is active for the keyboard and for screen readers
// (aria-activedescendant).

import {formatCount} from '../../model/text/numbers.js';

import {make} from '../dom.js';
import {isPrinting} from '../printing.js';

export const TABLE_ROW_HEIGHT = 26;
const SPARE_ROWS = 8;
// Pixels of a cell that are not for its name: padding and swatch.
const BESIDES_NAME = 46;
const MOST_PRINTED = 1_000;
// The bound after it is shown pale, and hidden first if space is short.
const BOUND = /(?=\s±)/;

/**
 * @typedef {Object} Column
 * @property {string} id @property {string} label @property {string=} title
 * @property {boolean=} isText  else a number, right-aligned
 * @property {boolean=} isSorted  its head is a sort button
 */

export class VirtualTable {
  /**
   * @param {HTMLElement} host  scrolling container
   * @param {Object} options role ('grid' or 'treegrid'), label, columns, cells (row number -> a cell's children for each column),
   *     attributes (row number -> attributes of the row), and on: sort(column id), pick(row, event), menu(row, point),
   *     key(row, event) -> whether it was handled
   */
  constructor(host, options) {
    this.host = host;
    this.options = options;
    this.count = 0;
    this.active = -1;
    this.drawn = {first: 0, last: 0};
    this.prefix = `${options.id}-row-`;
    // That fit into a name's cell; rows drawn before they are known are drawn again.
    this.characters = Infinity;
    this.head = make('tr', {'aria-rowindex': '1'});
    this.body = make('tbody');
    this.table = make('table', {class: 'rows', role: options.role ?? 'grid', tabindex: '0', 'aria-label': options.label},
                      make('thead', {}, this.head), this.body);
    host.classList.add('table');
    host.append(this.table);
    host.addEventListener('scroll', () => this.drawSoon());
    new ResizeObserver(() => this.draw()).observe(host);
    this.listen();
    this.setColumns(options.columns);
  }

  listen() {
    const {on} = this.options;
    this.table.addEventListener('keydown', (event) => this.onKey(event));
    this.table.addEventListener('focus', () => this.active < 0 && this.count > 0 && this.activate(0));
    this.body.addEventListener('click', (event) => {
      const row = this.rowOf(event);
      if (row < 0) return;
      this.activate(row);
      on.pick?.(row, event);
    });
    this.body.addEventListener('contextmenu', (event) => {
      const row = this.rowOf(event);
      if (row < 0 || !on.menu) return;
      event.preventDefault();
      this.activate(row);
      on.menu(row, {x: event.clientX, y: event.clientY});
    });
  }

  rowOf(event) { return Number(event.target.closest('tr')?.dataset.row ?? -1); }

  setColumns(columns) {
    this.columns = columns;
    this.forgetWidths();
    this.head.replaceChildren(...columns.map((column) => this.headOf(column)));
    this.table.setAttribute('aria-colcount', columns.length);
  }

  headOf({id, label, title = '', isText, isSorted}) {
    const attributes = {scope: 'col', class: isText ? `${id} text` : id, title, 'data-column': id};
    const unit = make('span', {class: 'unit'});
    if (!isSorted) return make('th', attributes, label, unit);
    const button = make('button', {type: 'button'}, label);
    button.addEventListener('click', () => this.options.on.sort(id));
    return make('th', attributes, button, unit);
  }

  /** @param {Object<string, string>} units  of columns, by id */
  showUnits(units) {
    this.units = units;
    for (const head of this.head.children) {
      const unit = units[head.dataset.column];
      head.querySelector('.unit').textContent = unit ? ` (${unit})` : '';
    }
    this.forgetWidths();
  }

  /** @param {string} column @param {'ascending'|'descending'|'other'} order */
  showOrder(column, order) {
    for (const head of this.head.children) {
      if (head.dataset.column !== column) {
        head.removeAttribute('aria-sort');
      } else {
        head.setAttribute('aria-sort', order);
      }
    }
  }

  /** @param {number} count @param {number} active  the active row, -1: none */
  show(count, active = -1) {
    this.forgetWidths();
    this.count = count;
    this.active = Math.min(active, count - 1);
    this.table.setAttribute('aria-rowcount', count + 1);
    this.draw();
  }

  drawSoon() {
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const {clientHeight, scrollTop} = this.host;
    if (clientHeight === 0) return undefined;
    if (isPrinting()) return this.drawForPrint();
    const first = Math.max(0, Math.floor(scrollTop / TABLE_ROW_HEIGHT) - SPARE_ROWS);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / TABLE_ROW_HEIGHT) + SPARE_ROWS);
    return this.drawRows(first, last, this.spacer(first), this.spacer(this.count - Math.max(first, last)));
  }

  drawForPrint() {
    const last = Math.min(this.count, MOST_PRINTED);
    const text = last < this.count ? [`${formatCount(this.count - last)} more rows are not printed`] : [];
    const rest = make('tr', {}, make('td', {class: 'text', colspan: this.columns.length}, ...text));
    this.drawRows(0, last, this.spacer(0), rest);
  }

  /** Draws rows between two spacers for the rows not drawn. */
  drawRows(first, last, before, after) {
    const rows = [];
    for (let row = first; row < last; row++) rows.push(this.rowElement(row));
    this.body.replaceChildren(before, ...rows, after);
    this.fitColumns(rows);
    if (this.measureNames()) return this.drawRows(first, last, before, after);
    this.drawn = {first, last};
    this.markActive();
    return undefined;
  }

  /** Measures how many characters of a name fit. @return {boolean} whether rows with other names are to be drawn */
  measureNames() {
    const at = this.columns.findIndex(({isText}) => isText);
    const cell = this.body.querySelector('[data-row]')?.children[at];
    if (!cell) return false;
    this.pen ??= make('canvas').getContext('2d');
    this.pen.font = getComputedStyle(cell).font;
    const characters = Math.floor((this.head.children[at].clientWidth - BESIDES_NAME) / this.pen.measureText('M').width);
    const before = this.characters;
    this.characters = characters;
    if (characters === before) return false;
    const longest = Math.max(...[...this.body.querySelectorAll('td.text [title]')].map(({title}) => title.length));
    return longest > Math.min(before, characters);
  }

  /** Resets widths in characters by column: of the widest cell so far, with and without its bound, which small screens hide. */
  forgetWidths() {
    this.widths = this.columns.map(({id, label}) => {
      const width = label.length + (this.units?.[id] ? this.units[id].length + 3 : 0);
      return {whole: width, short: width};
    });
  }

  /** Widens columns so that no figure is cut. */
  fitColumns(rows) {
    this.columns.forEach(({isText}, i) => {
      if (isText) return;
      const width = this.widths[i];
      for (const {children} of rows) {
        const {textContent: text} = children[i];
        width.whole = Math.max(width.whole, text.length);
        width.short = Math.max(width.short, text.split(BOUND)[0].length);
      }
      this.head.children[i].style.setProperty('--whole', width.whole);
      this.head.children[i].style.setProperty('--short', width.short);
    });
    const figures = this.widths.filter((_, i) => !this.columns[i].isText);
    this.table.style.setProperty('--figures', figures.length);
    this.table.style.setProperty('--characters', figures.reduce((sum, {whole}) => sum + whole, 0));
  }

  /** Updates existing rows: replacing them would break a click in progress. */
  markActive() {
    for (const row of this.body.children) {
      if (row.dataset.row !== undefined) row.setAttribute('aria-selected', Number(row.dataset.row) === this.active);
    }
    if (this.active >= 0) {
      this.table.setAttribute('aria-activedescendant', this.prefix + this.active);
    } else {
      this.table.removeAttribute('aria-activedescendant');
    }
  }

  spacer(rows) {
    const cell = make('td');
    cell.style.height = `${Math.max(0, rows) * TABLE_ROW_HEIGHT}px`;
    return make('tr', {class: 'spacer', 'aria-hidden': 'true'}, cell);
  }

  rowElement(row) {
    const cells = this.options.cells(row);
    return make(
        'tr', {
          id: this.prefix + row,
          'data-row': row,
          'aria-rowindex': row + 2,
          ...this.options.attributes?.(row),
        },
        ...this.columns.map(({id, isText}, i) => make('td', {class: isText ? `${id} text` : id}, ...[cells[i]].flat())));
  }

  /** Makes a row active and scrolls to it. */
  activate(row) {
    if (this.count === 0) return;
    this.active = Math.max(0, Math.min(row, this.count - 1));
    const top = this.active * TABLE_ROW_HEIGHT;
    const room = this.host.clientHeight - this.head.offsetHeight - TABLE_ROW_HEIGHT;
    if (top < this.host.scrollTop) this.host.scrollTop = top;
    if (top > this.host.scrollTop + room) this.host.scrollTop = top - room;
    if (this.active >= this.drawn.first && this.active < this.drawn.last) {
      this.markActive();
    } else {
      this.draw();
    }
    this.options.on.activate?.(this.active);
  }

  onKey(event) {
    if (event.target !== this.table || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.host.clientHeight / TABLE_ROW_HEIGHT) - 2);
    const goals = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.count - 1,
    };
    const {on} = this.options;
    if (this.active >= 0 && on.key?.(this.active, event)) {
      // Handled, for example an arrow key of a tree.
    } else if (event.key in goals) {
      this.activate(goals[event.key]);
    } else if (event.key === 'Enter' && this.active >= 0) {
      on.pick?.(this.active, event);
    } else if (isMenuKey(event) && this.active >= 0) {
      this.activate(this.active);
      on.menu?.(this.active, this.pointOf(this.active));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  pointOf(row) {
    const box = document.getElementById(this.prefix + row).getBoundingClientRect();
    return {x: box.left + 60, y: box.bottom};
  }
}

/** @param {KeyboardEvent} event */
export function isMenuKey({key, shiftKey}) { return key === 'ContextMenu' || (key === 'F10' && shiftKey); }

/** @param {import('../presenters/profile_presenter.js').ProfilePresenter} presenter @param {Object} entry  of entryAt() @return {(Node|string)[][]} its figure cells */
export function figureCells(presenter, entry) {
  const bars = presenter.barsOf(entry);
  const looks = presenter.looksOf(entry);
  return presenter.cellsOf(entry).map((text, i) => figureCell(text, bars[i], looks[i]));
}

/** @param {import('../presenters/profile_presenter.js').ProfilePresenter} presenter @return {Object<string, string>} unit of each column, by id */
export function unitsOf({columns, units}) { return Object.fromEntries(columns.map(({id}, i) => [id, units[i]])); }

/** @param {number} share  0 to 1, shown by a bar behind the figure; NaN or missing: no bar */
function figureCell(text, share, look) {
  // Zero is shown pale.
  const figure = make('span', {class: look || (text === '0' ? 'noise' : '')}, ...withBound(text));
  if (!(share > 0)) return [figure];
  const bar = make('span', {class: 'bar-of-share'});
  bar.style.setProperty('--share-of-all', Math.min(1, share));
  return [figure, bar];
}

function withBound(text) {
  const [figure, bound] = text.split(BOUND);
  return bound === undefined ? [figure] : [figure, make('span', {class: 'bound'}, bound)];
}
