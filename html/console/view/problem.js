// What went wrong, where it did.

import {byId} from '../../view/dom.js';

/** @param {string} id of the place @param {string} text '' takes it away */
export function showProblem(id, text) {
  const place = byId(id);
  // Said once, not each time that it is found again.
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === '';
}
