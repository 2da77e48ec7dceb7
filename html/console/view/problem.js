// Shows an error message at its place.

import {byId} from '../../view/dom.js';

/** @param {string} id of the element @param {string} text '' hides it */
export function showProblem(id, text) {
  const place = byId(id);
  // Unchanged text is not announced again.
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === '';
}
