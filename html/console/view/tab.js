// Opens a stored profile in a new tab.

import {make} from '../../view/dom.js';

/** Opens a path in a new tab, at an address that needs no token. */
export async function openTab(api, path) {
  const {link} = await api.post('/api/links', {path});
  make('a', {href: link, target: '_blank', rel: 'noopener'}).click();
}
