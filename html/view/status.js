// Short messages: shown for a moment, or only announced by screen readers.

import {byId} from './dom.js';

const SHOWN_MILLISECONDS = 3000;
let clearing;

/** Announces a text to screen readers only. */
export function announce(text) { show(text, true); }

export function notify(text) {
  show(text, false);
  clearing = setTimeout(() => byId('status').replaceChildren(), SHOWN_MILLISECONDS);
}

function show(text, silently) {
  clearTimeout(clearing);
  byId('status').classList.toggle('silent', silently);
  byId('status').textContent = text;
}
