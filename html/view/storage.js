// What the reader has set, kept by the browser where it lets the page: in some sandboxes it does not.

/** @return {?string} */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    return null;
  }
}

/** @param {string} text '' forgets it @return {boolean} whether it is kept */
export function keep(key, text) {
  try {
    if (text === '') {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, text);
    }
    return true;
  } catch (error) {
    return false;
  }
}
