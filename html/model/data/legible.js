// Names are untrusted: invisible characters, or characters that reverse the text direction, could make one name look like another.

// Control characters, zero-width characters, and direction marks.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** @return {string} the text with invisible characters escaped: \u202e */
export function legible(text) {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
