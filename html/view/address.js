// Stores the view state in the page's address, so that links and reloads restore it.

import {readViewState, writeViewState} from '../model/view_state.js';

/** @typedef {{read: Function, write: Function, follow: Function}} Address */

/** @implements {Address} */
export class PageAddress {
  /** @return {import('../model/view_state.js').ViewState} */
  read(first, header) { return readViewState(location.hash, first, header); }

  /** @param {boolean} isStep  whether the browser's Back undoes it */
  write(viewState, first, isStep) {
    const fragment = writeViewState(viewState, first);
    const url = fragment === '' ? location.pathname + location.search : `#${fragment}`;
    try {
      history[isStep ? 'pushState' : 'replaceState'](null, '', url);
    } catch (error) {
      // A sandboxed frame may not change its address. The page works, but its link is not updated.
      return;
    }
  }

  follow(onChange) { addEventListener('popstate', onChange); }
}

/** For a graph without an address of its own. @implements {Address} */
export class NoAddress {
  read(first) { return first; }

  write() {}

  follow() {}
}
