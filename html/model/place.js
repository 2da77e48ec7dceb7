// What a reader looks at, as the URL's fragment: a link or a reload comes back to the same sight. Only what differs
// from the profile's own first view is written.

/**
 * @typedef {Object} Place
 * @property {number} lens
 * @property {boolean} callers  callers above their callees: the tree turned over
 * @property {boolean} icicle  root at the top
 * @property {boolean} byWidth
 * @property {string} search
 * @property {number[]} zoom  frames from below the root to the one that fills the width
 */

/**
 * @return {number[]} indexes of the value types that can be looked at: not of the samples of several events, whose sum
 *     measures nothing
 */
export function lensesOf(header) {
  const all = header.values.map((_, lens) => lens);
  return all.length > 2 && header.values[0].type === 'samples' ? all.slice(1) : all;
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
  };
}

/** @param {Place} place @param {Place} first @return {string} without the # */
export function writePlace(place, first) {
  const fields = new URLSearchParams();
  if (place.lens !== first.lens) fields.set('value', place.lens);
  for (const flag of ['callers', 'icicle', 'byWidth']) {
    if (place[flag] !== first[flag]) fields.set(flag, place[flag] ? 1 : 0);
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
  place.search = fields.get('search') ?? '';
  const zoom = fields.get('zoom') ?? '';
  if (/^\d+(\.\d+)*$/.test(zoom)) place.zoom = zoom.split('.').map(Number);
  return place;
}
