// How a difference of two profiles is told: colours by what grew and shrank, values before and after.

import {strengthOf} from '../model/difference.js';
import {Engine} from '../model/engine.js';
import {families, familiesOfFrames} from '../model/kinds.js';
import {formatChange, formatShare, formatValue} from '../model/numbers.js';
import {finish} from '../model/work.js';

import {makeDifferencePalette, SHADES_OF_CHANGE} from './colours.js';
import {showDifferenceHeader} from './header.js';
import {showDifferenceLegend} from './legend.js';

const WORDS = {
  new: 'new: was not there before',
  vanished: 'vanished: is not there any more',
  grew: 'grew',
  shrank: 'shrank',
  same: 'as before',
};

export class DifferenceReading {
  /** @param {import('../model/decode.js').Profile} profile @param {import('../model/place.js').Place} place */
  constructor(profile, place) {
    this.profile = profile;
    this.place = place;
    this.engine = new Engine(profile);
    this.callTree = finish(this.engine.derive(place));
    this.frameFamilies = familiesOfFrames(this.callTree.table);
  }

  get valueType() { return this.profile.header.values[this.place.lens]; }

  goTo(place) {
    const isNew = ['lens', 'scale', 'width'].some((field) => place[field] !== this.place[field]);
    this.place = place;
    if (isNew) this.callTree = finish(this.engine.derive(place));
    return isNew;
  }

  showHeader() { showDifferenceHeader(this.profile.header); }

  makePalette(theme) { return makeDifferencePalette(theme); }

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

  format(value) { return this.place.scale === 'shares' ? formatShare(value, 1) : formatValue(value, this.valueType); }

  /** @param {string} points  what follows the points of a share */
  formatChange(change, points = '\u00a0points') {
    const isOfShares = this.place.scale === 'shares';
    return formatChange(change, isOfShares ? null : this.valueType) + (isOfShares ? points : '');
  }

  wholeText() {
    const [before, after] = this.callTree.wholes.map(({value}) => formatValue(value, this.valueType));
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
}
