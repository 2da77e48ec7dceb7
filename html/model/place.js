// What a reader looks at, as the URL's fragment: a link or a reload comes back to the same sight. Only what differs
// from the profile's own first view is written.

const CHOICES = {
  scale: ['shares', 'amounts'],
  width: ['both', 'before', 'after']
};

/**
 * @typedef {Object} Place
 * @property {number} lens
 * @property {boolean} callers  callers above their callees: the tree turned over
 * @property {boolean} icicle  root at the top
 * @property {boolean} byWidth
 * @property {string} search
 * @property {('shares'|'amounts')=} scale  of a difference: what is compared
 * @property {('both'|'before'|'after')=} width  of a difference: whose values are the widths
 * @property {number[]} zoom  frames from below the root to the one that fills the width
 */

/**
 * @return {number[]} indexes of the value types that can be looked at: not of the samples of several events, whose sum
 *     measures nothing
 */
export function lensesOf(header) {
  // Of a difference the second half are the same values, after.
  const values = header.difference ? header.values.slice(0, header.values.length / 2) : header.values;
  const all = values.map((_, lens) => lens);
  return all.length > 2 && values[0].type === 'samples' ? all.slice(1) : all;
}

/** @return {Place} what the profile asks to be shown first */
export function firstPlace(header) {
  const lenses = lensesOf(header);
  return {
    lens: lenses.includes(header.lens) ? header.lens : lenses[0] ?? 0,
    callers: header.view?.reverse === true,
    icicle: header.view?.inverted === true,
    byWidth: false,
    search: '',
    zoom: [],
    ...(header.difference && {scale: header.difference.normalized ? 'shares' : 'amounts', width: 'both'}),
  };
}

/** @param {Place} place @param {Place} first @return {string} without the # */
export function writePlace(place, first) {
  const fields = new URLSearchParams();
  if (place.lens !== first.lens) fields.set('value', place.lens);
  for (const flag of ['callers', 'icicle', 'byWidth']) {
    if (place[flag] !== first[flag]) fields.set(flag, place[flag] ? 1 : 0);
  }
  for (const choice of Object.keys(CHOICES)) {
    if (place[choice] !== first[choice]) fields.set(choice, place[choice]);
  }
  if (place.search !== '') fields.set('search', place.search);
  if (place.zoom.length > 0) fields.set('zoom', place.zoom.join('.'));
  return fields.toString();
}

/** @return {Place} anything the fragment does not say, or says wrongly, is as at first */
export function readPlace(fragment, first, header) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const place = {...first, zoom: []};
  const lens = Number(fields.get('value') ?? first.lens);
  if (lensesOf(header).includes(lens)) place.lens = lens;
  for (const flag of ['callers', 'icicle', 'byWidth']) {
    if (fields.has(flag)) place[flag] = fields.get(flag) === '1';
  }
  for (const [choice, words] of Object.entries(CHOICES)) {
    if (header.difference && words.includes(fields.get(choice))) place[choice] = fields.get(choice);
  }
  place.search = fields.get('search') ?? '';
  const zoom = fields.get('zoom') ?? '';
  if (/^\d+(\.\d+)*$/.test(zoom)) place.zoom = zoom.split('.').map(Number);
  return place;
}

/**
 * @param {Place} place in a profile with the header `before` @return {Place} the same in one with the header `after`, but for
 *     the zoom, whose frames have other numbers there
 */
export function carryPlace(place, before, after) {
  const {type} = before.values[place.lens];
  const lens = lensesOf(after).find((index) => after.values[index].type === type);
  return {...place, lens: lens ?? firstPlace(after).lens, zoom: []};
}
