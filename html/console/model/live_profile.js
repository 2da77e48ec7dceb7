// The profile of the session that runs, as it comes: the flame graph page that would be written now, of which only the data is read.

import {decodePage, emptyProfile} from '../../model/decode.js';

const BEGIN = '<script id="hearth-data" type="application/octet-stream">';

/** @param {string} page @return {string} the data that it carries; '' when it is no such page */
export function dataOf(page) {
  const begin = page.indexOf(BEGIN);
  if (begin < 0) return '';
  return page.slice(begin + BEGIN.length, page.indexOf('<', begin + BEGIN.length));
}

/** @param {string} page @return {Promise<import('../../model/decode.js').Profile>} rejects with DataError */
export function profileOf(page) { return decodePage(dataOf(page)); }

/** @return {import('../../model/decode.js').Profile} before there is any */
export function noProfile() { return emptyProfile({values: [{type: 'samples', unit: 'count'}]}); }
