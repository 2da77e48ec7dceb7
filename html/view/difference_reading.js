// How a difference of two profiles is told: colours by what grew and shrank, values before and after.

import {strengthOf} from '../model/difference.js';
import {families} from '../model/kinds.js';
import {formatChange, formatShare, formatValue} from '../model/numbers.js';
import {partsOf} from '../model/parts.js';

import {makeDifferencePalette, SHADES_OF_CHANGE} from './colours.js';
import {showDifferenceHeader} from './header.js';
import {showDifferenceLegend} from './legend.js';
import {partTexts} from './part_texts.js';
import {Reading} from './reading.js';

const WORDS = {
  new: 'new: was not there before',
  vanished: 'vanished: is not there any more',
  grew: 'grew',
  shrank: 'shrank',
  same: 'as before',
};

const SIDES = ['before', 'after'];
const COLUMNS = ['self', 'total'].flatMap((part) => ['before', 'after', 'change'].map((field) => ({
  id: part + field,
  part,
  field,
  label: part === 'self' ? `Self ${field}` : `Total ${field}`,
  title: (part === 'self' ? 'What it used itself' : 'With all that it called, each stack once') +
      (field === 'change' ? '. By size; again: what grew; again: what shrank' : ''),
  isSorted: true,
})));

export class DifferenceReading extends Reading {
  get valueType() { return {...super.valueType, isMean: this.profile.header.difference.per === 'operation'}; }

  get isOfShares() { return this.callTree.scale === 'shares'; }

  get isOfChanges() { return true; }

  isSigned(column) { return column.endsWith('change'); }

  showHeader() { showDifferenceHeader(this.profile); }

  makePalette(theme) { return makeDifferencePalette(theme); }

  /** What showLegend() needs takes no time. */
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

  /** @param {string} points  what follows the points of a share */
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
      kind: isRoot ? 'everything that was measured' : isChance ? `${WORDS[total.word]}, by no more than chance explains` : WORDS[total.word],
      details: isRoot ? [] : [families()[this.frameFamilies[tree.lookOf(node)]].words],
      table: merged > 0 ? [] : table,
    };
  }

  /** Of the samples before and of those after, as its lines may have moved. */
  detailsOf(tree, node) {
    if (tree !== this.callTree || node === tree.root) return [];
    return SIDES.flatMap((side, i) => partTexts(partsOf(tree, node, [tree.rowValues[i]])).map((text) => `${side}: ${text}`));
  }

  /** @return {import('./virtual_table.js').Column[]} of figures, for the table of changes */
  get columns() { return COLUMNS; }

  /** @param {{self: Change, total: Change}} method @return {string[]} one for each column */
  cellsOf(method) {
    return COLUMNS.map(({part, field}) => {
      const change = method[part];
      if (change.before === 0 && change.after === 0) return '–';
      return field === 'change' ? this.formatChange(change, '') : this.format(change[field]);
    });
  }

  /** @return {string[]} how each cell looks */
  looksOf(method) {
    return COLUMNS.map(({part, field}) => {
      const change = method[part];
      return field !== 'change' ? '' : change.isNoise ? 'noise' : change.change > 0 ? 'grew' : 'shrank';
    });
  }

  markOf({total: {word}}) { return word === 'new' || word === 'vanished' ? word : ''; }

  /** Changes by how large they are, whichever way or one way; those that chance explains come after all others. */
  sortKey(method, order) {
    const {part, field} = COLUMNS.find(({id}) => order.endsWith(id)) ?? COLUMNS[2];
    if (field !== 'change') return method[part][field];
    const {change, isNoise} = method[part];
    const size = order.startsWith('+') ? change : order.startsWith('-') ? -change : Math.abs(change);
    return isNoise ? -Number.MAX_VALUE / (1 + Math.abs(change)) : size;
  }

  get firstOrder() { return 'selfchange'; }
}
