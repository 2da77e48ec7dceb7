// The legend: colours of the frame kinds in the profile, with their self values.

import {families, isHatched} from '../../model/data/kinds.js';
import {formatShare, formatValue} from '../../model/text/numbers.js';

import {colourOfFamily, SHADES_OF_CHANGE} from '../graph/colours.js';
import {byId, make} from '../dom.js';

/**
 * @param {Float64Array} selfs of selfOfFamilies() @param {number} whole @param {Object} palette @param {Object}
 *     valueType
 */
export function showLegend(selfs, whole, palette, valueType) {
  const entries = [];
  // With a single family (classes of allocations) the share is always 100 %.
  const hasShares = selfs.filter((self) => self > 0).length > 1;
  families().forEach((family, i) => {
    if (Number.isNaN(selfs[i])) return;
    const swatch = make('span', {class: isHatched(i) ? 'swatch hatched' : 'swatch'});
    swatch.style.backgroundColor = colourOfFamily(palette, i);
    const title = `${family.words}: ${formatValue(selfs[i], valueType)} self`;
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
    [shades(shrank).reverse(), '', 'Shrank', 'by up to 10 %, 30 % or 60 % of the value before, or by more'],
    [[palette.plain[noise]], '', chance, 'the change is within its 95 % error bound; hatched if new or vanished'],
    [shades(grew), '', 'Grew', 'by up to 10 %, 30 % or 60 % of the value after, or by more'],
    [[palette.plain[SHADES_OF_CHANGE.new]], 'hatched', 'New', 'not present before'],
    [[palette.plain[SHADES_OF_CHANGE.vanished]], 'hatched falling', 'Vanished', 'no longer present'],
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
