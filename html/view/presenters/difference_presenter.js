// Presents a difference of two profiles: colours for growth and decrease, values before and after.

import {strengthOf} from '../../model/trees/difference.js';
import {families} from '../../model/data/kinds.js';
import {columnUnit, formatIn, withoutPercent} from '../../model/text/columns.js';
import {formatChange, formatShare, formatValue} from '../../model/text/numbers.js';
import {partsOf} from '../../model/trees/parts.js';

import {makeDifferencePalette, SHADES_OF_CHANGE} from '../graph/colours.js';
import {showDifferenceAccount, showDifferenceHeader} from './header.js';
import {showDifferenceLegend} from './legend.js';
import {partTexts} from './part_texts.js';
import {ProfilePresenter} from './profile_presenter.js';

const WORDS = {
  new: 'new: not present before',
  vanished: 'vanished: no longer present',
  grew: 'grew',
  shrank: 'shrank',
  same: 'unchanged',
};

const SIDES = ['before', 'after'];
const PARTS = ['self', 'total'];
const COLUMNS = PARTS.flatMap((part) => ['before', 'after', 'change'].map((field) => ({
  id: part + field,
  part,
  field,
  label: part === 'self' ? `Self ${field}` : `Total ${field}`,
  title: (part === 'self' ? 'Value of the method itself' : 'Value including callees; each stack counts once') +
      (field === 'change' ? '. Sorts by size; again: largest growth first; again: largest decrease first' : ''),
  isSorted: true,
})));

export class DifferencePresenter extends ProfilePresenter {
  get valueType() { return {...super.valueType, isMean: this.profile.header.difference.per === 'operation'}; }

  get isOfShares() { return this.callTree.scale === 'shares'; }

  get isOfChanges() { return true; }

  isSigned(column) { return column.endsWith('change'); }

  showHeader() { showDifferenceHeader(this.profile); }

  showAccount(lens) { showDifferenceAccount(this.profile, lens); }

  makePalette(theme) { return makeDifferencePalette(theme); }

  /** showLegend() needs no data. */
  * legend() {}

  showLegend(palette) { showDifferenceLegend(palette, this.callTree.totalChange(this.callTree.root).bound !== null); }

  shadeOf(tree, node) {
    const change = this.callTree.totalChange(node, tree);
    if (change.word === 'new' && !change.isNoise) return SHADES_OF_CHANGE.new;
    if (change.word === 'vanished' && !change.isNoise) return SHADES_OF_CHANGE.vanished;
    const strength = strengthOf(change);
    if (strength === 0) return SHADES_OF_CHANGE.noise;
    return change.change > 0 ? SHADES_OF_CHANGE.grew + strength - 1 : SHADES_OF_CHANGE.shrank + strength - 1;
  }

  hatchingOf(tree, node) {
    const {word} = this.callTree.totalChange(node, tree);
    return word === 'new' ? 'rising' : word === 'vanished' ? 'falling' : '';
  }

  format(value) { return this.isOfShares ? formatShare(value, 1) : formatValue(value, this.valueType); }

  /** @param {string} points  unit text after percentage points */
  formatChange(change, points = '\u00a0points') {
    return formatChange(change, this.isOfShares ? null : this.valueType) + (this.isOfShares ? points : '');
  }

  wholeText() {
    const [before, after] = this.callTree.amounts.map((amount) => formatValue(amount, this.valueType));
    return `${before} → ${after}`;
  }

  textOf(change) {
    const noise = change.isNoise && change.word !== 'same' ? ', within chance' : '';
    return `${this.format(change.before)} → ${this.format(change.after)} · ${this.formatChange(change)}${noise}`;
  }

  shareText(tree, node) { return this.textOf(this.callTree.totalChange(node, tree)); }

  searchResult(matches) {
    const change = this.callTree.changeOfMatches(matches);
    return {value: this.textOf(change), share: `${this.format(change.before)} → ${this.format(change.after)}`};
  }

  factsOf(tree, {node, merged}) {
    const {callTree} = this;
    const total = callTree.totalChange(node, tree);
    const row = (label, change) =>
        [label, this.format(change.before), this.format(change.after), this.formatChange(change)];
    const table = [['', 'before', 'after', 'change'], row('Total', total)];
    if (tree === callTree && merged === 0) table.push(row('Self', callTree.selfChange(node)));
    const isRoot = node === tree.root;
    const isChance = total.isNoise && total.word !== 'same';
    return {
      kind: isRoot ? 'all stacks' : isChance ? `${WORDS[total.word]}, within chance` : WORDS[total.word],
      details: isRoot ? [] : [families()[this.frameFamilies[tree.lookOf(node)]].words],
      table: merged > 0 ? [] : table,
    };
  }

  /** Details of both sides, because lines may have moved. */
  detailsOf(tree, node) {
    if (tree !== this.callTree || node === tree.root) return [];
    return SIDES.flatMap((side, i) => partTexts(partsOf(tree, node, [tree.rowValues[i]])).map((text) => `${side}: ${text}`));
  }

  /** @return {import('../tables/virtual_table.js').Column[]} figure columns of the table of changes */
  get columns() { return COLUMNS; }

  /** @return {string[]} unit of each column, for its head */
  get units() {
    const {name} = this.unit;
    return COLUMNS.map(({field}) => !this.isOfShares ? name : field === 'change' ? 'points' : '%');
  }

  /** @return {import('../../model/text/columns.js').ColumnUnit} */
  get unit() { return columnUnit(Math.max(...this.callTree.amounts), this.valueType); }

  /** @param {{self: Change, total: Change}} method @return {string[]} one for each column */
  cellsOf(method) {
    return COLUMNS.map(({part, field}) => {
      const change = method[part];
      if (change.before === 0 && change.after === 0) return '–';
      if (this.isOfShares) return withoutPercent(field === 'change' ? this.formatChange(change, '') : this.format(change[field]));
      return field === 'change' ? this.changeIn(change) : formatIn(change[field], this.unit);
    });
  }

  /** @return {string} +50.00 ± 1.60, in the unit of the column */
  changeIn({change, bound}) {
    const sign = change > 0 ? '+' : change < 0 ? '−' : '';
    const text = sign + formatIn(Math.abs(change), this.unit);
    return bound === null ? text : `${text}\u00a0±\u00a0${formatIn(bound, this.unit)}`;
  }

  /** @return {string[]} heads of the figures of csvOf() */
  get csvHeads() {
    const unit = this.isOfShares ? '%' : this.valueType.unit;
    return PARTS.flatMap((part) => [`${part} before (${unit})`, `${part} after (${unit})`, `${part} change (${unit})`, `${part} ± (${unit})`]);
  }

  /** @return {?number[]} figures in full; null: not known */
  csvOf(method) {
    const size = this.isOfShares ? 100 : 1;
    return PARTS.flatMap((part) => ['before', 'after', 'change', 'bound'].map((field) => {
      const value = method[part][field];
      return value === null ? null : Number((size * value).toPrecision(9));
    }));
  }

  /** @return {string[]} CSS class of each cell */
  looksOf(method) {
    return COLUMNS.map(({part, field}) => {
      const change = method[part];
      return field !== 'change' ? '' : change.isNoise ? 'noise' : change.change > 0 ? 'grew' : 'shrank';
    });
  }

  markOf({total: {word}}) { return word === 'new' || word === 'vanished' ? word : ''; }

  /** Sorts changes by size, in either direction or in one; changes within their bounds come last. */
  sortKey(method, order) {
    const {part, field} = COLUMNS.find(({id}) => order.endsWith(id)) ?? COLUMNS[2];
    if (field !== 'change') return method[part][field];
    const {change, isNoise} = method[part];
    const size = order.startsWith('+') ? change : order.startsWith('-') ? -change : Math.abs(change);
    return isNoise ? -Number.MAX_VALUE / (1 + Math.abs(change)) : size;
  }

  get firstOrder() { return 'selfchange'; }
}
