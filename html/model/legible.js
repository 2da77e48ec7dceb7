// Names of strangers may hold what is not seen, or turns around what stands beside it: a name that reads like another one.

// Control characters, signs without width, and those that say which way text runs.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** @return {string} the same, what is not seen by its number: \u202e */
export function legible(text) {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
