// The profile of the running session, read from the data in a flame graph page of its current state.

import {decodePage, emptyProfile} from '../../model/data/decode.js';

const BEGIN = '<script id="hearth-data" type="application/octet-stream">';

/** @param {string} page @return {string} its data; '' if it is not such a page */
export function dataOf(page) {
  const begin = page.indexOf(BEGIN);
  if (begin < 0) return '';
  return page.slice(begin + BEGIN.length, page.indexOf('<', begin + BEGIN.length));
}

/** @param {string} page @return {Promise<import('../../model/data/decode.js').Profile>} rejects with DataError */
export function profileOf(page) { return decodePage(dataOf(page)); }

/** @return {import('../../model/data/decode.js').Profile} an empty profile */
export function noProfile() { return emptyProfile({values: [{type: 'samples', unit: 'count'}]}); }
