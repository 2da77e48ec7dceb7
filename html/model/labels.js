// What of a long name fits into a narrow rectangle. Java and Clojure names tell most at their end, so they lose their
// package first: com/acme/Parser.next, Parser.next, next, ne… Of C++ names that is the namespace and the class; what
// follows a dot in other names (schedule.isra.0, libz.so) tells least.

// A name is only worth its ink from so many characters on, a shortened one from one more.
const LEAST = 3;
const ANONYMOUS = /^(fn|eval|reify)--?\d+$/;

// Frames are drawn again and again at every step of a zoom. By whether the name has a package, then name.
const knownForms = new Map([[true, new Map()], [false, new Map()]]);

/**
 * @param {string} name @param {number} room characters that fit @param {boolean} hasPackage see kinds.js
 * @return {string} '' when nothing that tells anything fits
 */
export function fitLabel(name, room, hasPackage) {
  if (room < LEAST) return '';
  if (name.length <= room) return name;
  const known = knownForms.get(hasPackage);
  let forms = known.get(name);
  if (!forms) {
    forms = [...shorterForms(name, hasPackage)];
    known.set(name, forms);
  }
  const fitting = forms.find((form) => form.length <= room);
  if (fitting !== undefined) return fitting;
  return room === LEAST ? '' : (forms.at(-1) ?? name).slice(0, room - 1) + '…';
}

/** Ever shorter forms of a name, the last one is the bare method or function. */
function* shorterForms(name, hasPackage) {
  if (name.startsWith('[')) return;
  let form = withoutArguments(name);
  if (form !== name) yield form;
  if (form.includes('::')) {
    const parts = splitOutsideTemplates(form);
    for (let from = 1; from < parts.length; from++) yield parts.slice(from).join('::');
    return;
  }
  if (!hasPackage) return;
  for (const separator of ['/', '.']) {
    // The function clojure.core// is named by the sign itself, so a separator at the very end separates nothing.
    for (let at = form.indexOf(separator); at >= 0 && at < form.length - 1; at = form.indexOf(separator)) {
      const rest = form.slice(at + 1);
      // fn--123 alone says nothing; what it is in, even cut, does.
      if (ANONYMOUS.test(rest)) return;
      form = rest;
      yield form;
    }
  }
}

/** Cuts the arguments off a C++ or Java signature, but leaves operator() and (anonymous namespace) whole. */
function withoutArguments(name) {
  const open = name.search(/(?<!operator)(?<=[\w>)\]~*?!=-])\(/);
  return open > 0 ? name.slice(0, open) : name;
}

function splitOutsideTemplates(name) {
  const parts = [''];
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '<') depth++;
    if (name[i] === '>') depth--;
    if (depth === 0 && name.startsWith('::', i)) {
      parts.push('');
      i++;
    } else {
      parts[parts.length - 1] += name[i];
    }
  }
  return parts.filter((part) => part !== '');
}
