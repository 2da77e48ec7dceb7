// The page's help: keys, and every bracketed word.

import {BRACKETED_WORDS} from '../model/words.js';

import {byId, make} from './dom.js';

const KEYS = [
  ['Click, Enter', 'zoom in to a frame'],
  ['Esc, 0', 'back to all'],
  ['← ↑ → ↓', 'move the selected frame'],
  ['/, Ctrl+F', 'search by regular expression'],
  ['n, N', 'next and previous match'],
  ['C', 'callers: the tree turned over'],
  ['I', 'root at the top or at the bottom'],
  ['S', 'sort siblings by width or by name'],
  ['V', 'next value: samples, time, bytes'],
  ['D', 'dark or light'],
  ['Right click', 'copy or highlight a frame'],
  ['?', 'this help'],
];

const KEYS_OF_DIFFERENCE = [['T', 'table of changes']];

/** @param {boolean} isDifference */
export function fillHelp(isDifference) {
  byId('difference-help').hidden = !isDifference;
  const all = isDifference ? [...KEYS_OF_DIFFERENCE, ...KEYS] : KEYS;
  byId('keys').replaceChildren(...all.map(
      ([keys, meaning]) => make('tr', {}, make('th', {scope: 'row'}, ...keyCaps(keys)), make('td', {}, meaning))));
  byId('words').replaceChildren(
      ...[...BRACKETED_WORDS].flatMap(([word, meaning]) => [make('dt', {}, word), make('dd', {}, meaning)]));
}

function keyCaps(keys) {
  return keys.split(', ').flatMap((key, i) => [...(i === 0 ? [] : [' ']), make('kbd', {}, key)]);
}
