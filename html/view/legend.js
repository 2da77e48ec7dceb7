// Which colour is which kind, for the kinds that the profile has, and how much each used itself.

import {families, isHatched} from '../model/kinds.js';
import {formatShare, formatValue} from '../model/numbers.js';

import {colourOfFamily} from './colours.js';
import {byId, make} from './dom.js';

/**
 * @param {Float64Array} selfs of selfOfFamilies() @param {number} whole @param {Object} palette @param {Object}
 *     valueType
 */
export function showLegend(selfs, whole, palette, valueType) {
  const entries = [];
  // Where all is one family's (of allocations the classes') its share tells nothing.
  const hasShares = selfs.filter((self) => self > 0).length > 1;
  families().forEach((family, i) => {
    if (Number.isNaN(selfs[i])) return;
    const swatch = make('span', {class: isHatched(i) ? 'swatch hatched' : 'swatch'});
    swatch.style.backgroundColor = colourOfFamily(palette, i);
    const title = `${family.words}: ${formatValue(selfs[i], valueType)} of its own`;
    const share = hasShares ? [make('span', {class: 'share'}, formatShare(selfs[i], whole))] : [];
    entries.push(make('li', {title}, swatch, family.label, ...share));
  });
  byId('legend').replaceChildren(...entries);
}
