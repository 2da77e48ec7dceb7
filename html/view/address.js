// Where the reader's place is kept between visits: in the page's address, where a link or a reload finds it.

import {readPlace, writePlace} from '../model/place.js';

/** @typedef {{read: Function, write: Function, follow: Function}} Address */

/** @implements {Address} */
export class PageAddress {
  /** @return {import('../model/place.js').Place} */
  read(first, header) { return readPlace(location.hash, first, header); }

  /** @param {boolean} isStep  one that the browser's Back undoes */
  write(place, first, isStep) {
    const fragment = writePlace(place, first);
    const url = fragment === '' ? location.pathname + location.search : `#${fragment}`;
    try {
      history[isStep ? 'pushState' : 'replaceState'](null, '', url);
    } catch (error) {
      // A sandboxed frame may not touch its address: the page works, only the link does not follow.
      return;
    }
  }

  follow(onChange) { addEventListener('popstate', onChange); }
}

/** For a graph that has no address of its own. @implements {Address} */
export class NoAddress {
  read(first) { return first; }

  write() {}

  follow() {}
}
