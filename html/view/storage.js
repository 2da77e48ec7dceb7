// Stores settings in the browser. Some sandboxes forbid it.

/** @return {?string} */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    return null;
  }
}

/** @param {string} text '' removes it @return {boolean} whether it was stored */
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
