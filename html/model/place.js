// What a reader looks at, as the URL's fragment: a link or a reload comes back to the same sight. Only what differs
// from the profile's own first view is written.

import {escapePattern} from './search.js';

const CHOICES = {
  scale: ['shares', 'amounts'],
  width: ['both', 'before', 'after']
};
const VIEWS = ['flame', 'callers', 'sandwich', 'tree', 'top', 'packages', 'lines'];
const VIEWS_OF_DIFFERENCE = ['flame', 'callers', 'sandwich', 'tree', 'changes', 'packages', 'lines'];
const FLAGS = ['icicle', 'byWidth', 'panel', 'lines', 'kinds'];
const TEXTS = ['search', 'method', 'sort', 'zoom'];

/** As many as there are colours for. */
export const MOST_HIGHLIGHTS = 6;

/**
 * @typedef {Object} Place
 * @property {string} view  one of viewIds()
 * @property {number} lens
 * @property {boolean} icicle  root at the top
 * @property {boolean} byWidth
 * @property {boolean} panel  the side panel is open
 * @property {boolean} lines @property {boolean} kinds  whether frames that differ in their line or in how they ran stand apart
 * @property {string} search
 * @property {string[]} highlights  patterns (compileHighlight() in search.js), each with a colour of its own
 * @property {Object[]} transforms  in their order
 * @property {Object<string, (string|number|null)[]>} labels  of which label only these values are looked at; null: none
 * @property {?[number, number]} time  nanoseconds since the profile's start; null: all of it
 * @property {string} method  the name of the one that sandwich and lines are of; '' the one that used most
 * @property {('shares'|'amounts')=} scale  of a difference: what is compared
 * @property {('both'|'before'|'after')=} width  of a difference: whose values are the widths
 * @property {string} sort  column that a table is sorted by, with a - before it smallest first; '' as the view does at first
 * @property {string} zoom  of writePath(): the way from the root to the frame that fills the width
 */

/** @return {string[]} what there is to see of such a profile, in the order of the tabs */
export function viewIds(header) { return header.difference ? VIEWS_OF_DIFFERENCE : VIEWS; }

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
    view: header.view?.reverse ? 'callers' : 'flame',
    lens: lenses.includes(header.lens) ? header.lens : lenses[0] ?? 0,
    icicle: header.view?.inverted === true,
    byWidth: header.view?.sort === 'width',
    panel: false,
    lines: header.view?.lines === true,
    kinds: header.view?.kinds === true,
    search: '',
    highlights: (header.view?.highlights ?? []).map(highlightOf).slice(0, MOST_HIGHLIGHTS),
    transforms: header.transforms ?? [],
    labels: {},
    time: null,
    method: '',
    sort: '',
    zoom: '',
    ...(header.difference && {scale: header.difference.normalized ? 'shares' : 'amounts', width: 'both'}),
  };
}

/** @return {string} what colours the frames of a pattern that was given with the profile: text, or /regex/ */
function highlightOf(pattern) { return /^\/.+\/i?$/s.test(pattern) ? pattern : escapePattern(pattern); }

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @param {Place} place @param {Place} first @return {string} without the # */
export function writePlace(place, first) {
  const fields = new URLSearchParams();
  if (place.view !== first.view) fields.set('view', place.view);
  if (place.lens !== first.lens) fields.set('value', place.lens);
  for (const flag of FLAGS) {
    if (place[flag] !== first[flag]) fields.set(flag, place[flag] ? 1 : 0);
  }
  for (const choice of Object.keys(CHOICES)) {
    if (place[choice] !== first[choice]) fields.set(choice, place[choice]);
  }
  for (const text of TEXTS) {
    if (place[text] !== first[text]) fields.set(text, place[text]);
  }
  for (const list of ['highlights', 'transforms', 'labels']) {
    if (!isSame(place[list], first[list])) fields.set(list, JSON.stringify(place[list]));
  }
  if (place.time) fields.set('time', place.time.join('-'));
  return fields.toString();
}

/** @return {Object} what the engine derives a tree by */
export function requestOf({lens, labels, time, transforms, lines, kinds, scale, width}) {
  const chosen = Object.fromEntries(Object.entries(labels).filter(([, values]) => values.length > 0));
  const filters = {labels: chosen, time: time && {from_ns: time[0], to_ns: time[1]}};
  const applied = transforms.filter(({enabled}) => enabled !== false);
  return {lens, filters, transforms: applied, parted: {lines, kinds}, ...(scale && {scale, width})};
}

/** @return {boolean} whether something is kept out of sight, or made different, by the reader */
export function isNarrowed({labels, time, transforms}) {
  return time !== null || Object.values(labels).some((values) => values.length > 0) ||
      transforms.some(({enabled}) => enabled !== false);
}

/** @return {Place} anything the fragment does not say, or says wrongly, is as at first */
export function readPlace(fragment, first, header) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const place = {...first};
  if (viewIds(header).includes(fields.get('view'))) place.view = fields.get('view');
  const lens = Number(fields.get('value') ?? first.lens);
  if (lensesOf(header).includes(lens)) place.lens = lens;
  for (const flag of FLAGS) {
    if (fields.has(flag)) place[flag] = fields.get(flag) === '1';
  }
  for (const [choice, words] of Object.entries(CHOICES)) {
    if (header.difference && words.includes(fields.get(choice))) place[choice] = fields.get(choice);
  }
  for (const text of TEXTS) place[text] = fields.get(text) ?? first[text];
  place.highlights = readJson(fields.get('highlights'), isListOf(isPattern))?.slice(0, MOST_HIGHLIGHTS) ?? first.highlights;
  place.transforms = readJson(fields.get('transforms'), isListOf(isTransform)) ?? first.transforms;
  place.labels = knownLabels(readJson(fields.get('labels'), isRecordOfValues), header) ?? first.labels;
  place.time = readTime(fields.get('time'));
  return place;
}

const isText = (value) => typeof value === 'string';
const isPattern = (value) => isText(value) && value !== '';
const isListOf = (isItem) => (value) => Array.isArray(value) && value.every(isItem);
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isLabelValue = (value) => value === null || isText(value) || typeof value === 'number';
const isRecordOfValues = (value) => isRecord(value) && Object.values(value).every(isListOf(isLabelValue));

/** @return {boolean} whether it has the shape of one; what its fields say is the engine's to judge */
export function isTransform(value) {
  return isRecord(value) && isText(value.type) && [value.what ?? '', value.replacement ?? ''].every(isText);
}

function readJson(text, isRight) {
  if (text === null) return null;
  try {
    const value = JSON.parse(text);
    return isRight(value) ? value : null;
  } catch (error) {
    return null;
  }
}

/** A label that the profile has not would leave nothing, and stand nowhere to be taken back. */
function knownLabels(labels, header) {
  const keys = (header.labels ?? []).map(({key}) => key);
  return labels && Object.fromEntries(Object.entries(labels).filter(([key]) => keys.includes(key)));
}

function readTime(text) {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text ?? '') ?? [];
  return from !== undefined && Number(from) < Number(to) ? [Number(from), Number(to)] : null;
}

/**
 * @param {Place} place in a profile with the header `before` @return {Place} the same in one with the header `after`, but for
 *     the zoom, whose frames have other numbers there
 */
export function carryPlace(place, before, after) {
  const {type} = before.values[place.lens];
  const lens = lensesOf(after).find((index) => after.values[index].type === type);
  return {...place, lens: lens ?? firstPlace(after).lens, zoom: ''};
}
