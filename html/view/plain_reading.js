// How a profile is told: colours by the kind of frame, values with their share of the whole.

import {boundOfShare} from '../model/bounds.js';
import {families, isHatched} from '../model/kinds.js';
import {formatShare, formatValue} from '../model/numbers.js';

import {makePalette, shadeIndex} from './colours.js';
import {showHeader} from './header.js';
import {showLegend} from './legend.js';
import {partTexts} from './part_texts.js';
import {Reading} from './reading.js';

export class PlainReading extends Reading {
  takeFrames(table) {
    this.shades = Uint16Array.from(this.frameFamilies, (family, frame) => shadeIndex(family, table.nameOf(frame)));
  }

  /** @return {{value: number, variance: (number|undefined)}} all that is shown; not every reader asks for the variance */
  get whole() {
    const {callTree} = this;
    return {
      value: callTree.totals[callTree.root],
      get variance() { return callTree.variancesAt(callTree.root)?.total; },
    };
  }

  showHeader() { showHeader(this.profile); }

  makePalette(theme) { return makePalette(theme, families().map((family) => family.id)); }

  /** @return {Generator} what showLegend() needs */
  legend() { return this.callTree.selfOfFamilies(this.frameFamilies); }

  showLegend(palette, selfs) { showLegend(selfs, this.whole.value, palette, this.valueType); }

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

  /** @return {{kind: string, details: string[], table: string[][]}} for the tooltip; the table's first row are heads */
  factsOf(tree, {node, merged, size}, zoom, zoomLabel = 'of zoomed') {
    const amountAt = (at) => ({value: tree.totals[at], variance: tree.variancesAt(at)?.total});
    const rows = [['Total', merged > 0 ? {value: size} : amountAt(node)]];
    if (tree.selfAt && merged === 0) rows.push(['Self', {value: tree.selfAt(node), variance: tree.variancesAt(node)?.self}]);
    const family = families()[this.frameFamilies[tree.lookOf(node)]];
    return {
      kind: node === tree.root ? 'everything that was measured' : family.words,
      details: [],
      table: this.tableOf(rows, this.whole, {...amountAt(zoom), label: zoomLabel}),
    };
  }

  /** @return {string[]} what more there is to say of a frame; takes some time */
  detailsOf(tree, node) { return tree === this.callTree && node !== tree.root ? partTexts(tree.partsOf(node)) : []; }

  tableOf(rows, whole, zoomed) {
    const isZoomed = zoomed.value !== whole.value;
    const table = [isZoomed ? ['', '', 'of all', zoomed.label] : ['', '', 'of all']];
    for (const [label, amount] of rows) {
      const cells = [label, formatValue(amount.value, this.valueType), shareText(amount, whole)];
      // A caller of the zoomed frame holds more than all of it; its share would be above 100 %.
      if (isZoomed) cells.push(amount.value <= zoomed.value ? shareText(amount, zoomed) : '–');
      table.push(cells);
    }
    return table;
  }

  /** @return {import('./virtual_table.js').Column[]} of figures, for tables and the tree */
  get columns() { return COLUMNS; }

  /** @param {{self: number, total: number, selfVariance: ?number, totalVariance: ?number}} item @return {string[]} one for each column */
  cellsOf(item) {
    return ['self', 'total'].flatMap((part) => {
      const amount = {value: item[part], variance: item[`${part}Variance`] ?? undefined};
      return [formatValue(amount.value, this.valueType), shareText(amount, this.whole)];
    });
  }

  /** @return {number[]} shares of 1 that bars in the cells show, NaN where there is none */
  barsOf({self, total}) {
    const whole = this.whole.value || 1;
    return [NaN, self / whole, NaN, total / whole];
  }

  /** @return {number} index into the palette's colours */
  shadeOfFrame(frame) { return this.shades[frame]; }

  /** @param {string} order  id of one of the columns, - before it when it is turned over @return {number} what it sorts by */
  sortKey(item, order) { return item[order.replace(/^-|Share/g, '')]; }

  get firstOrder() { return 'self'; }
}

const COLUMNS = [
  {id: 'self', label: 'Self', title: 'What the method used itself', isSorted: true},
  {id: 'selfShare', label: 'Self %', title: 'Its share of all that is shown', isSorted: true},
  {id: 'total', label: 'Total', title: 'With all that it called, each stack once', isSorted: true},
  {id: 'totalShare', label: 'Total %', title: 'Its share of all that is shown', isSorted: true},
];

/** With its 95 % bound, where only some of what was counted was sampled. */
function shareText(part, whole) {
  const share = formatShare(part.value, whole.value);
  if (part.variance === undefined || part.value === 0) return share;
  const bound = boundOfShare(part, whole);
  return bound > 0 ? `${share} ± ${formatShare(bound, 1)}` : share;
}
