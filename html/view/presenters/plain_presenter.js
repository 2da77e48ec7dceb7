// Presents a single profile: colours by kind of frame, values with their share of the total.

import {boundOfShare} from '../../model/trees/bounds.js';
import {families, isHatched, plainFamily} from '../../model/data/kinds.js';
import {columnUnit, formatIn, withoutPercent} from '../../model/text/columns.js';
import {formatShare, formatValue} from '../../model/text/numbers.js';

import {makePalette, shadeIndex} from '../graph/colours.js';
import {showAccount, showHeader} from './header.js';
import {showLegend} from './legend.js';
import {partTexts} from './part_texts.js';
import {ProfilePresenter} from './profile_presenter.js';

export class PlainPresenter extends ProfilePresenter {
  takeFrames(table) {
    const colourOf = (family) => this.isTiered ? family : plainFamily(family);
    this.shades = Uint16Array.from(this.frameFamilies, (family, frame) => shadeIndex(colourOf(family), table.nameOf(frame)));
  }

  /** @return {{value: number, variance: (number|undefined)}} the total; the variance is computed on demand */
  get whole() {
    const {callTree} = this;
    return {
      value: callTree.totals[callTree.root],
      get variance() { return callTree.variancesAt(callTree.root)?.total; },
    };
  }

  showHeader() { showHeader(this.profile); }

  showAccount(lens) { showAccount(this.profile, lens); }

  makePalette(theme) { return makePalette(theme, families().map((family) => family.id)); }

  /** @param {Object} tree  without the filter of the legend @return {Generator} the data for showLegend() */
  * legend(tree) { return {selfs: yield* tree.selfOfFamilies(this.frameFamilies), whole: tree.totals[tree.root]}; }

  /** @param {{ends: string[], filterEnds: Function, tiers: Function}} state  the legend's filter, and its commands */
  showLegend(palette, data, {ends, filterEnds, tiers}) {
    showLegend(data, {palette, valueType: this.valueType, isTiered: this.isTiered, ends, filterEnds, tiers});
  }

  /** @return {number} index into the palette's colours */
  shadeOf(tree, node) { return this.shades[tree.lookOf(node)]; }

  /** @return {''|'rising'|'falling'} */
  hatchingOf(tree, node) { return isHatched(this.frameFamilies[tree.lookOf(node)]) ? 'rising' : ''; }

  wholeText(tree) { return formatValue(tree.totals[tree.root], this.valueType); }

  shareText(tree, node) {
    return `${formatValue(tree.totals[node], this.valueType)} · ${formatShare(tree.totals[node], this.whole.value)}`;
  }

  searchResult(matches) {
    return {value: formatValue(matches.value, this.valueType), share: formatShare(matches.share(), 1)};
  }

  /** @return {{kind: string, details: string[], table: string[][]}} for the tooltip; the table's first row holds the heads */
  factsOf(tree, {node, merged, size}, zoom, zoomLabel = 'of zoomed') {
    const amountAt = (at) => ({value: tree.totals[at], variance: tree.variancesAt(at)?.total});
    const rows = [['Total', merged > 0 ? {value: size} : amountAt(node)]];
    if (tree.selfAt && merged === 0) rows.push(['Self', {value: tree.selfAt(node), variance: tree.variancesAt(node)?.self}]);
    const family = families()[this.frameFamilies[tree.lookOf(node)]];
    return {
      kind: node === tree.root ? 'all stacks' : family.words,
      details: [],
      table: this.tableOf(rows, this.whole, {...amountAt(zoom), label: zoomLabel}),
    };
  }

  /** @return {string[]} further details of a frame; slow */
  detailsOf(tree, node) { return tree === this.callTree && node !== tree.root ? partTexts(tree.partsOf(node)) : []; }

  tableOf(rows, whole, zoomed) {
    const isZoomed = zoomed.value !== whole.value;
    const table = [isZoomed ? ['', '', 'of total', zoomed.label] : ['', '', 'of total']];
    for (const [label, amount] of rows) {
      const cells = [label, formatValue(amount.value, this.valueType), shareText(amount, whole)];
      // A caller of the zoomed frame would have a share above 100 %.
      if (isZoomed) cells.push(amount.value <= zoomed.value ? shareText(amount, zoomed) : '–');
      table.push(cells);
    }
    return table;
  }

  /** @return {import('../tables/virtual_table.js').Column[]} figure columns of tables and the tree */
  get columns() { return COLUMNS; }

  /** @return {string[]} unit of each column, for its head */
  get units() {
    const {name} = this.unit;
    return [name, '', name, ''];
  }

  /** @return {import('../../model/text/columns.js').ColumnUnit} */
  get unit() { return columnUnit(this.whole.value, this.valueType); }

  /** @param {{self: number, total: number, selfVariance: ?number, totalVariance: ?number}} item @return {string[]} one for each column */
  cellsOf(item) {
    return PARTS.flatMap((part) => {
      const amount = amountOf(item, part);
      return [formatIn(amount.value, this.unit), withoutPercent(shareText(amount, this.whole))];
    });
  }

  /** @return {string[]} heads of the figures of csvOf() */
  get csvHeads() {
    const {unit} = this.valueType;
    return PARTS.flatMap((part) => [`${part} (${unit})`, `${part} (%)`, `${part} ± (%)`]);
  }

  /** @return {?number[]} figures in full; null: not known */
  csvOf(item) {
    const percent = (share) => Number((100 * share).toPrecision(6));
    return PARTS.flatMap((part) => {
      const amount = amountOf(item, part);
      const bound = amount.variance === undefined ? null : percent(boundOfShare(amount, this.whole));
      return [amount.value, percent(amount.value / (this.whole.value || 1)), bound];
    });
  }

  /** @return {number[]} shares (0 to 1) for the bars in the cells, NaN: no bar */
  barsOf({self, total}) {
    const whole = this.whole.value || 1;
    return [NaN, self / whole, NaN, total / whole];
  }

  /** @return {number} index into the palette's colours */
  shadeOfFrame(frame) { return this.shades[frame]; }

  /** @param {string} order  column id, with a leading - for reverse order @return {number} sort key */
  sortKey(item, order) { return item[order.replace(/^-|Share/g, '')]; }

  get firstOrder() { return 'self'; }
}

const PARTS = ['self', 'total'];
const COLUMNS = [
  {id: 'self', label: 'Self', title: 'Value of the method itself', isSorted: true},
  {id: 'selfShare', label: 'Self %', title: 'Share of the total shown', isSorted: true},
  {id: 'total', label: 'Total', title: 'Value including callees; each stack counts once', isSorted: true},
  {id: 'totalShare', label: 'Total %', title: 'Share of the total shown', isSorted: true},
];

function amountOf(item, part) { return {value: item[part], variance: item[`${part}Variance`] ?? undefined}; }

/** Formats a share with its 95 % bound, if known. */
function shareText(part, whole) {
  const share = formatShare(part.value, whole.value);
  if (part.variance === undefined || part.value === 0) return share;
  const bound = boundOfShare(part, whole);
  return bound > 0 ? `${share} ± ${formatShare(bound, 1)}` : share;
}
