// Which colour is which kind, for the kinds that the profile has, and how much each used itself.

import {families, isHatched} from '../model/kinds.js';
import {formatShare, formatValue} from '../model/numbers.js';

import {colourOfFamily, SHADES_OF_CHANGE} from './colours.js';
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

/** @param {Object} palette of makeDifferencePalette() @param {boolean} hasBounds */
export function showDifferenceLegend(palette, hasBounds) {
  const {noise, grew, shrank} = SHADES_OF_CHANGE;
  const shades = (first) => [0, 1, 2, 3].map((strength) => palette.plain[first + strength]);
  const chance = hasBounds ? 'Within chance' : 'No change';
  const entries = [
    [shades(shrank).reverse(), '', 'Shrank', 'by less than 10 %, 30 %, 60 % of it, or more'],
    [[palette.plain[noise]], '', chance, 'changed by no more than chance explains in 95 of 100 pairs of profiles; hatched where it is new or has vanished'],
    [shades(grew), '', 'Grew', 'by less than 10 %, 30 %, 60 % of what it is now, or more'],
    [[palette.plain[SHADES_OF_CHANGE.new]], 'hatched', 'New', 'was not there before'],
    [[palette.plain[SHADES_OF_CHANGE.vanished]], 'hatched falling', 'Vanished', 'is not there any more'],
  ];
  byId('legend').replaceChildren(...entries.map(([colours, look, label, title]) => {
    const swatches = colours.map((colour) => {
      const swatch = make('span', {class: `swatch ${look}`});
      swatch.style.backgroundColor = colour;
      return swatch;
    });
    return make('li', {title}, make('span', {class: 'swatches'}, ...swatches), label);
  }));
  byId('legend').setAttribute('aria-label', 'Colours of changes');
}
