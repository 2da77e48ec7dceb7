// Links to source files: fills the reader's link template from the name of a method.

const PLACEHOLDERS = /\{(class|method|file|line)\}/g;
// Allowed schemes. Others could run code in the page.
const ALLOWED = /^(https?|vscode|vscodium|vscode-insiders|cursor|zed|idea|jetbrains|editor|emacs|txmt|subl|file):/i;

/**
 * @param {string} name of a frame @return {?{class: string, method: string, file: string}} the file path follows from the package
 *     or namespace; null if it is neither Java nor Clojure
 */
export function sourceOf(name) {
  const bare = name.replace(/\(.*/s, '');
  const slash = bare.lastIndexOf('/');
  const dot = bare.lastIndexOf('.');
  if (dot > slash) {
    const owner = bare.slice(0, dot);
    const file = `${owner.replace(/\$.*/s, '')}.java`;
    return {class: owner.replaceAll('/', '.'), method: bare.slice(dot + 1), file};
  }
  const first = bare.indexOf('/');
  if (first <= 0) return null;
  const namespace = bare.slice(0, first);
  return {
    class: namespace,
    method: bare.slice(first + 1),
    file: `${namespace.replaceAll('-', '_').replaceAll('.', '/')}.clj`
  };
}

/**
 * @param {string} template such as https://host/browse?file={file}#L{line} @param {string} name @param {number} line 0: unknown
 * @return {string} '' if there is no link
 */
export function sourceLink(template, name, line) {
  const source = sourceOf(name);
  if (!source || !isLinkTemplate(template)) return '';
  const values = {...source, line: line || 1};
  return template.replace(PLACEHOLDERS, (_, word) => encodePath(String(values[word])));
}

/** @return {boolean} whether it opens a web page or an editor, and runs nothing in this page */
export function isLinkTemplate(template) { return ALLOWED.test(template.trim()); }

/** Encodes a path, keeping its slashes. */
function encodePath(text) { return text.split('/').map(encodeURIComponent).join('/'); }
