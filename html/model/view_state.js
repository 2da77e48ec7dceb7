// The view state and its form in the URL's fragment, so that a link or a reload restores it. Only differences from the profile's
// initial view state are written.

import {families} from './data/kinds.js';
import {escapePattern} from './search.js';
import {hasWall} from './trees/busy.js';

const CHOICES = {
  scale: ['shares', 'amounts'],
  width: ['both', 'before', 'after']
};
const VIEWS = ['flame', 'callers', 'sandwich', 'tree', 'top', 'packages', 'lines'];
const VIEWS_OF_DIFFERENCE = ['flame', 'callers', 'sandwich', 'tree', 'changes', 'packages', 'lines'];
const FLAGS = ['icicle', 'byWidth', 'panel', 'lines', 'kinds', 'trunk', 'tiers', 'idle'];
const TEXTS = ['search', 'method', 'sort', 'zoom'];

/** Number of highlight colours. */
export const MOST_HIGHLIGHTS = 6;

/**
 * @typedef {Object} ViewState
 * @property {string} view  one of viewIds()
 * @property {number} lens
 * @property {boolean} icicle  root at the top
 * @property {boolean} byWidth
 * @property {boolean} panel  the side panel is open
 * @property {boolean} trunk  whether the frames that all stacks share are shown
 * @property {boolean=} idle  whether wall-clock time has that of threads that wait for work, and of threads of the JVM; only where there is such time
 * @property {boolean} tiers  whether colours show how Java and Clojure frames ran
 * @property {string[]} ends  families (see kinds.js) of innermost frames that filters keep; none: all
 * @property {boolean} lines @property {boolean} kinds  whether frames are split by line, by execution kind
 * @property {string} search
 * @property {string[]} highlights  patterns (compileHighlight() in search.js), one colour each
 * @property {Object[]} transforms  in their order
 * @property {Object<string, (string|number|null)[]>} labels  label -> the values that filters keep; null: rows without the label
 * @property {?[number, number]} time  nanoseconds since the profile's start; null: no filter
 * @property {string} method  the method of the sandwich and lines views; '': the hottest one
 * @property {('shares'|'amounts')=} scale  of a difference: the compared quantity
 * @property {('both'|'before'|'after')=} width  of a difference: values that widths show
 * @property {string} sort  sort column of a table, with a leading - smallest first; '': the default of the view
 * @property {string} zoom  path (see writePath()) from the root to the frame that fills the width
 */

/** @return {string[]} views of such a profile, in the order of the tabs */
export function viewIds(header) { return header.difference ? VIEWS_OF_DIFFERENCE : VIEWS; }

/**
 * @return {number[]} indexes of the selectable value types. Sample counts of several events are left out: their sum
 *     has no meaning
 */
export function lensesOf(header) {
  // In a difference the second half repeats the value types for the side after.
  const values = header.difference ? header.values.slice(0, header.values.length / 2) : header.values;
  const all = values.map((_, lens) => lens);
  return all.length > 2 && values[0].type === 'samples' ? all.slice(1) : all;
}

/** @return {ViewState} initial view state of the profile */
export function firstViewState(header) {
  const lenses = lensesOf(header);
  return {
    view: header.view?.reverse ? 'callers' : header.view?.tree ? 'tree' : 'flame',
    lens: firstLens(header, lenses),
    icicle: header.view?.inverted === true,
    byWidth: header.view?.sort === 'width',
    panel: false,
    lines: header.view?.lines === true,
    kinds: header.view?.kinds === true,
    trunk: false,
    tiers: header.view?.kinds === true,
    search: '',
    highlights: (header.view?.highlights ?? []).map(highlightOf).slice(0, MOST_HIGHLIGHTS),
    transforms: header.transforms ?? [],
    labels: {},
    ends: [],
    time: null,
    method: '',
    sort: '',
    zoom: '',
    ...(hasWall(header) && {idle: false}),
    ...(header.difference && {scale: header.difference.normalized ? 'shares' : 'amounts', width: 'both'}),
  };
}

/** Wall-clock profiles open on the time, not on the samples. */
function firstLens({lens, event, values}, lenses) {
  if (event === 'wall' && lens === 0 && values[1]?.type === 'wall') return 1;
  return lenses.includes(lens) ? lens : lenses[0] ?? 0;
}

/** @return {string} regular expression of a highlight given with the profile, which is text or /regex/ */
function highlightOf(pattern) { return /^\/.+\/i?$/s.test(pattern) ? pattern : escapePattern(pattern); }

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @param {ViewState} place @param {ViewState} first @return {string} without the # */
export function writeViewState(viewState, first) {
  const fields = new URLSearchParams();
  if (viewState.view !== first.view) fields.set('view', viewState.view);
  if (viewState.lens !== first.lens) fields.set('value', viewState.lens);
  for (const flag of FLAGS) {
    if (viewState[flag] !== first[flag]) fields.set(flag, viewState[flag] ? 1 : 0);
  }
  for (const choice of Object.keys(CHOICES)) {
    if (viewState[choice] !== first[choice]) fields.set(choice, viewState[choice]);
  }
  for (const text of TEXTS) {
    if (viewState[text] !== first[text]) fields.set(text, viewState[text]);
  }
  for (const list of ['highlights', 'transforms', 'labels', 'ends']) {
    if (!isSame(viewState[list], first[list])) fields.set(list, JSON.stringify(viewState[list]));
  }
  if (viewState.time) fields.set('time', viewState.time.join('-'));
  // A link without it comes from a page that showed idle threads.
  if (fields.toString() !== '' && viewState.idle === false) fields.set('idle', 0);
  return fields.toString();
}

/** @return {Object} request for the engine */
export function requestOf({lens, labels, ends, time, transforms, lines, kinds, idle, scale, width}) {
  const chosen = Object.fromEntries(Object.entries(labels).filter(([, values]) => values.length > 0));
  const filters = {labels: chosen, time: time && {from_ns: time[0], to_ns: time[1]}, ...(ends.length > 0 && {ends})};
  const applied = transforms.filter(({enabled}) => enabled !== false);
  return {lens, filters, transforms: applied, parted: {lines, kinds}, ...(idle === false && {busy: true}), ...(scale && {scale, width})};
}

/** @return {boolean} whether filters or transforms are active */
export function isNarrowed({labels, ends, time, transforms}) {
  return time !== null || ends.length > 0 || Object.values(labels).some((values) => values.length > 0) ||
      transforms.some(({enabled}) => enabled !== false);
}

/** @return {ViewState} fields that are missing or invalid in the fragment keep their initial values */
export function readViewState(fragment, first, header) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const viewState = {...first};
  if (viewIds(header).includes(fields.get('view'))) viewState.view = fields.get('view');
  const lens = Number(fields.get('value') ?? first.lens);
  if (lensesOf(header).includes(lens)) viewState.lens = lens;
  if (first.idle === false && fields.toString() !== '') viewState.idle = true;
  for (const flag of FLAGS) {
    if (fields.has(flag) && flag in first) viewState[flag] = fields.get(flag) === '1';
  }
  for (const [choice, words] of Object.entries(CHOICES)) {
    if (header.difference && words.includes(fields.get(choice))) viewState[choice] = fields.get(choice);
  }
  for (const text of TEXTS) viewState[text] = fields.get(text) ?? first[text];
  viewState.highlights = readJson(fields.get('highlights'), isListOf(isPattern))?.slice(0, MOST_HIGHLIGHTS) ?? first.highlights;
  viewState.transforms = withoutRepeatedGroups(readJson(fields.get('transforms'), isListOf(isTransform)) ?? first.transforms);
  viewState.labels = knownLabels(readJson(fields.get('labels'), isRecordOfValues), header) ?? first.labels;
  viewState.ends = readJson(fields.get('ends'), isListOf(isFamily)) ?? first.ends;
  viewState.time = readTime(fields.get('time'));
  return viewState;
}

const isText = (value) => typeof value === 'string';
const isPattern = (value) => isText(value) && value !== '';
const isListOf = (isItem) => (value) => Array.isArray(value) && value.every(isItem);
const isFamily = (value) => families().some(({id}) => id === value);
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isLabelValue = (value) => value === null || isText(value) || typeof value === 'number';
const isRecordOfValues = (value) => isRecord(value) && Object.values(value).every(isListOf(isLabelValue));

/** @return {boolean} whether the value has the shape of a transform; problemOf() checks its contents */
export function isTransform(value) {
  return isRecord(value) && isText(value.type) && [value.what ?? '', value.replacement ?? ''].every(isText);
}

/** @return {Object[]} transforms without repeated groups by the same label */
export function withoutRepeatedGroups(transforms) {
  const isFirst = ({type, what}, i) => type !== 'group' || !what ||
      transforms.findIndex((other) => other.type === 'group' && other.what === what) === i;
  return transforms.filter(isFirst);
}

/** @return {string} the label that stacks are grouped by, innermost of several; '': none */
export function groupOf({transforms}) { return transforms.findLast(({type, enabled}) => type === 'group' && enabled !== false)?.what ?? ''; }

/** @param {ViewState} place @param {string} key  of a label */
export function isGroupedBy({transforms}, key) {
  return transforms.some(({type, what, enabled}) => type === 'group' && what === key && enabled !== false);
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

/** Drops filters of labels that the profile lacks: they would hide everything and could not be removed in the panel. */
function knownLabels(labels, header) {
  const keys = (header.labels ?? []).map(({key}) => key);
  return labels && Object.fromEntries(Object.entries(labels).filter(([key]) => keys.includes(key)));
}

function readTime(text) {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text ?? '') ?? [];
  return from !== undefined && Number(from) < Number(to) ? [Number(from), Number(to)] : null;
}

/**
 * @param {ViewState} place in a profile with the header `before` @return {ViewState} the same for a profile with the header `after`, without
 *     the zoom, because frame numbers differ there
 */
export function carryViewState(viewState, before, after) {
  const {type} = before.values[viewState.lens];
  const lens = lensesOf(after).find((index) => after.values[index].type === type);
  return {...viewState, lens: lens ?? firstViewState(after).lens, zoom: ''};
}
