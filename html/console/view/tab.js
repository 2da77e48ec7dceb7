// A tab of its own for what is stored.

import {make} from '../../view/dom.js';

/** At an address that needs no token. */
export async function openTab(api, path) {
  const {link} = await api.post('/api/links', {path});
  make('a', {href: link, target: '_blank', rel: 'noopener'}).click();
}
