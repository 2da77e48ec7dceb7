// How a profile is told: colours by the kind of frame, values with their share of the whole.

import {boundOfShare} from '../model/bounds.js';
import {Engine} from '../model/engine.js';
import {families, familiesOfFrames, isHatched, selfOfFamilies, sharesOfKinds} from '../model/kinds.js';
import {formatShare, formatValue} from '../model/numbers.js';
import {finish} from '../model/work.js';

import {makePalette, shadeIndex} from './colours.js';
import {showHeader} from './header.js';
import {showLegend} from './legend.js';

export class PlainReading {
  /** @param {import('../model/decode.js').Profile} profile @param {import('../model/place.js').Place} place */
  constructor(profile, place) {
    this.profile = profile;
    this.place = place;
    this.engine = new Engine(profile);
    this.callTree = finish(this.engine.derive(place));
    const {table} = this.callTree;
    this.frameFamilies = familiesOfFrames(table);
    this.shades = Uint16Array.from(this.frameFamilies, (family, frame) => shadeIndex(family, table.nameOf(frame)));
  }

  get valueType() { return this.profile.header.values[this.place.lens]; }

  /** @return {boolean} whether another value is shown than before */
  goTo(place) {
    const isNew = place.lens !== this.place.lens;
    this.place = place;
    if (isNew) this.callTree = finish(this.engine.derive(place));
    return isNew;
  }

  showHeader() { showHeader(this.profile.header); }

  makePalette(theme) { return makePalette(theme, families().map((family) => family.id)); }

  showLegend(palette) {
    const selfs = selfOfFamilies(this.callTree, this.frameFamilies);
    showLegend(selfs, this.callTree.totals[this.callTree.root], palette, this.valueType);
  }

  /** @return {number} index into the palette's colours */
  shadeOf(tree, node) { return this.shades[tree.lookOf(node)]; }

  /** @return {''|'rising'|'falling'} */
  hatchingOf(tree, node) { return isHatched(this.frameFamilies[tree.lookOf(node)]) ? 'rising' : ''; }

  wholeText(tree) { return formatValue(tree.totals[tree.root], this.valueType); }

  shareText(tree, node) {
    return `${formatValue(tree.totals[node], this.valueType)} · ${formatShare(tree.totals[node], tree.totals[tree.root])}`;
  }

  searchResult(matches) {
    return {value: formatValue(matches.value, this.valueType), share: formatShare(matches.share(), 1)};
  }

  /** @return {{kind: string, details: string[], table: string[][]}} for the tooltip; the table's first row are heads */
  factsOf(tree, {node, merged, size}, zoom) {
    const {callTree} = this;
    const isWhole = tree === callTree;
    const amountAt = (at) => ({value: tree.totals[at], variance: tree.variances?.[at]});
    const rows = [['Total', merged > 0 ? {value: size} : amountAt(node)]];
    if (isWhole && merged === 0) rows.push(['Self', {value: tree.selfs[node], variance: tree.selfVariances?.[node]}]);
    const family = families()[this.frameFamilies[tree.lookOf(node)]];
    const shares = isWhole ? sharesOfKinds(tree.partsOf(node).kinds) : [];
    return {
      kind: node === tree.root ? 'everything that was measured' : family.words,
      details: shares.length > 1 ? [shares.map(({word, share}) => `${word} ${formatShare(share, 1)}`).join(' · ')] : [],
      table: this.tableOf(rows, amountAt(tree.root), amountAt(zoom)),
    };
  }

  tableOf(rows, whole, zoomed) {
    const isZoomed = zoomed.value !== whole.value;
    const table = [isZoomed ? ['', '', 'of all', 'of zoomed'] : ['', '', 'of all']];
    for (const [label, amount] of rows) {
      const cells = [label, formatValue(amount.value, this.valueType), shareText(amount, whole)];
      // A caller of the zoomed frame holds more than all of it; its share would be above 100 %.
      if (isZoomed) cells.push(amount.value <= zoomed.value ? shareText(amount, zoomed) : '–');
      table.push(cells);
    }
    return table;
  }
}

/** With its 95 % bound, where only some of what was counted was sampled. */
function shareText(part, whole) {
  const share = formatShare(part.value, whole.value);
  if (part.variance === undefined || part.value === 0) return share;
  const bound = boundOfShare(part, whole);
  return bound > 0 ? `${share} ± ${formatShare(bound, 1)}` : share;
}
