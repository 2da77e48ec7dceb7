// Short words to the reader: some to be seen for a moment, some only to be read aloud.

import {byId} from './dom.js';

const SHOWN_MILLISECONDS = 3000;
let clearing;

/** Says what the picture shows anyway, to those who do not see it. */
export function announce(text) { tell(text, true); }

export function say(text) {
  tell(text, false);
  clearing = setTimeout(() => byId('status').replaceChildren(), SHOWN_MILLISECONDS);
}

function tell(text, silently) {
  clearTimeout(clearing);
  byId('status').classList.toggle('silent', silently);
  byId('status').textContent = text;
}
