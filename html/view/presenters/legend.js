// The legend: colours of the frame kinds in the profile, with their self values.

import {families, isHatched, plainFamily} from '../../model/data/kinds.js';
import {formatShare, formatValue} from '../../model/text/numbers.js';

import {colourOfFamily, SHADES_OF_CHANGE} from '../graph/colours.js';
import {byId, make} from '../dom.js';

// Key of the legend that is in the document.
let shown = '';

/**
 * @param {{selfs: Float64Array, whole: number}} data  of selfOfFamilies(), and the total
 * @param {Object} state palette, valueType, isTiered, ends (families that the filter keeps), filterEnds (with the new ones), tiers (toggles the
 *     colours of the kinds of compilation)
 */
export function showLegend({selfs, whole}, state) {
  // Most steps of a reader change nothing in the legend.
  const key = JSON.stringify([[...selfs], whole, state.palette.plain, state.valueType, state.isTiered, state.ends]);
  if (key === shown) return;
  shown = key;
  const entries = entriesOf(selfs, state.isTiered);
  // With a single family (classes of allocations) the share is always 100 %.
  const hasShares = entries.filter(({self}) => self > 0).length > 1;
  const items = entries.map((entry) => itemOf(entry, hasShares, whole, state));
  const compiled = families().filter(({id, of}, i) => !Number.isNaN(selfs[i]) && (of || ['java', 'clojure'].includes(id)));
  if (compiled.length > 1) items.push(make('li', {}, tiersButton(state)));
  const {id} = document.activeElement;
  byId('legend').replaceChildren(...items);
  if (id) byId('legend').querySelector(`#${CSS.escape(id)}`)?.focus();
}

/** @return {{index: number, ids: string[], self: number}[]} entries in the order of the families, with the families in each */
function entriesOf(selfs, isTiered) {
  const entries = new Map();
  families().forEach(({id}, i) => {
    if (Number.isNaN(selfs[i])) return;
    const index = isTiered ? i : plainFamily(i);
    const entry = entries.get(index) ?? {index, ids: [], self: 0};
    entry.ids.push(id);
    entry.self += selfs[i];
    entries.set(index, entry);
  });
  return [...entries.values()].sort((a, b) => a.index - b.index);
}

function itemOf({index, ids, self}, hasShares, whole, {palette, valueType, isTiered, ends, filterEnds}) {
  const {label, words, id, plainWords} = families()[index];
  const swatch = make('span', {class: isHatched(index) ? 'swatch hatched' : 'swatch'});
  swatch.style.backgroundColor = colourOfFamily(palette, index);
  const meaning = (!isTiered && plainWords) || words;
  // A colour without a value of its own is a key only.
  if (self === 0 || !hasShares) return make('li', {title: meaning}, swatch, label);
  const isOn = ids.every((one) => ends.includes(one));
  const title = `${meaning}: ${formatValue(self, valueType)} self. Click to ${isOn ? 'show all again' : 'keep the stacks that end in it'}`;
  const button = make('button', {type: 'button', id: `ends-${id}`, 'aria-pressed': isOn, title}, swatch, label,
                      make('span', {class: 'share'}, formatShare(self, whole)));
  button.addEventListener('click', () => filterEnds(isOn ? ends.filter((one) => !ids.includes(one)) : [...ends, ...ids]));
  return make('li', {}, button);
}

function tiersButton({isTiered, tiers}) {
  const title = 'Colour Java and Clojure frames by how they ran: compiled by C2 or C1, inlined, interpreted';
  const button = make('button', {type: 'button', id: 'toggle-tiers', class: 'tiers', 'aria-pressed': isTiered, title}, 'Compilation');
  button.addEventListener('click', tiers);
  return button;
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
