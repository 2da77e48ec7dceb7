// The help dialog: keys and bracketed words.

import {BRACKETED_WORDS} from '../model/text/words.js';

import {byId, make} from './dom.js';

const KEYS = [
  ['1, 2, …', 'switch view'],
  ['← ↑ → ↓', 'move the selection; in the tree, expand and collapse'],
  ['Click, Enter', 'zoom in to a frame; in a table, show its callers and callees'],
  ['Esc, 0', 'zoom out'],
  ['/, Ctrl+F', 'search (regular expression)'],
  ['n, N', 'next and previous match, after Enter in the search field'],
  ['Right click, Shift+F10', 'frame menu; on a touch screen, press and hold'],
  ['W, L, H', 'selected frame: sandwich view, lines view, highlight'],
  ['P', 'panel: filters, transforms, highlights'],
  ['T', 'time range: arrow keys move its ends, Esc clears it'],
  ['V', 'next value (samples, time, bytes)'],
  ['C', 'callers view (inverted tree)'],
  ['I, S', 'root at top or bottom; siblings by width or by name'],
  ['D, ?', 'dark or light theme; this help'],
];

/** @param {Object} header of the profile */
export function fillHelp({difference, time}) {
  byId('difference-help').hidden = !difference;
  const keys = KEYS.filter(([cap]) => cap !== 'T' || time);
  byId('keys').replaceChildren(...keys.map(
      ([keys, meaning]) => make('tr', {}, make('th', {scope: 'row'}, ...keyCaps(keys)), make('td', {}, meaning))));
  byId('words').replaceChildren(
      ...[...BRACKETED_WORDS].flatMap(([word, meaning]) => [make('dt', {}, word), make('dd', {}, meaning)]));
}

function keyCaps(keys) {
  return keys.split(', ').flatMap((key, i) => [...(i === 0 ? [] : [' ']), make('kbd', {}, key)]);
}
