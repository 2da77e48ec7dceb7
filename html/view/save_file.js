// Saves a file by the browser.

import {make} from './dom.js';

/** @param {Blob} blob @param {string} name  characters that file systems refuse are replaced */
export function saveFile(blob, name) {
  const address = URL.createObjectURL(blob);
  make('a', {href: address, download: name.replace(/[\\/:*?"<>|]+/g, '_')}).click();
  // By then the browser has saved the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
