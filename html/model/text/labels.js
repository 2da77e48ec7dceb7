// Shortens a name to fit into a narrow rectangle. The end of a Java or Clojure name is its most useful part, so the package goes
// first: com/acme/Parser.next, Parser.next, next, ne… C++ names lose the namespace, then the class. Other names (schedule.isra.0,
// libz.so) are cut at their end.

// Shortest useful label; a truncated one needs one character more.
const LEAST = 3;
const ANONYMOUS = /^(fn|eval|reify)--?\d+$/;

// Cache, because a zoom redraws frames at each step: has a package -> name -> shorter forms.
const knownForms = new Map([[true, new Map()], [false, new Map()]]);

/**
 * @param {string} name @param {number} space characters that fit @param {boolean} hasPackage see kinds.js
 * @return {string} '' if no useful label fits
 */
export function fitLabel(name, space, hasPackage) {
  if (space < LEAST) return '';
  if (name.length <= space) return name;
  const known = knownForms.get(hasPackage);
  let forms = known.get(name);
  if (!forms) {
    forms = [...shorterForms(name, hasPackage)];
    known.set(name, forms);
  }
  const fitting = forms.find((form) => form.length <= space);
  if (fitting !== undefined) return fitting;
  return space === LEAST ? '' : (forms.at(-1) ?? name).slice(0, space - 1) + '…';
}

/** Yields shorter and shorter forms of a name. The last one is the bare method or function. */
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
  const known = withoutHiddenNumbers(form);
  if (known !== form) yield form = known;
  for (const separator of ['/', '.']) {
    // A trailing separator is part of the name, as in the function clojure.core//.
    for (let at = form.indexOf(separator); at >= 0 && at < form.length - 1; at = form.indexOf(separator)) {
      const rest = form.slice(at + 1);
      // fn--123 alone is not useful; its enclosing function is, even truncated.
      if (ANONYMOUS.test(rest)) return;
      form = rest;
      yield form;
    }
  }
}

/** Removes the arguments of a C++ or Java signature. Keeps operator() and (anonymous namespace). */
function withoutArguments(name) {
  const open = name.search(/(?<!operator)(?<=[\w>)\]~*?!=-])\(/);
  return open > 0 ? name.slice(0, open) : name;
}

/** Removes the numbers of lambdas and other hidden classes: Shop$$Lambda$33.0x00007fc68c013000.run becomes Shop$$Lambda.run. */
function withoutHiddenNumbers(name) {
  return name.replace(/(?<=\$\$Lambda)\$\d+/g, '').replace(/(?<=[\w$])[./+]0x[\da-f]+(?=\.|$)/g, '');
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
