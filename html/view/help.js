// The page's help: keys, and every bracketed word.

import {BRACKETED_WORDS} from '../model/words.js';

import {byId, make} from './dom.js';

const KEYS = [
  ['1, 2, …', 'the views, in the order of their tabs'],
  ['← ↑ → ↓', 'move the selected frame or row; in the tree open and close'],
  ['Click, Enter', 'zoom in to a frame; in a table its callers and callees'],
  ['Esc, 0', 'back to all'],
  ['/, Ctrl+F', 'search by regular expression'],
  ['n, N', 'next and previous match'],
  ['Right click, Shift+F10', 'what can be done with a frame; on a screen, touch it long'],
  ['W, L, H', 'sandwich of the selected frame, its lines, its highlight'],
  ['P', 'panel: filters, transforms, highlights'],
  ['T', 'time: arrow keys move the ends of the range, Esc takes it away'],
  ['V', 'next value: samples, time, bytes'],
  ['C', 'callers: the tree turned over'],
  ['I, S', 'root at the top or at the bottom; siblings by width or by name'],
  ['D, ?', 'dark or light; this help'],
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
