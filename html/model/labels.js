// What of a long name fits into a narrow rectangle. Java and Clojure names tell most at their end, so they lose their
// package first: com/acme/Parser.next, Parser.next, next, ne…

const LEAST = 3;

/**
 * @param {string} name @param {number} room characters that fit @return {string} '' when nothing that tells anything
 *     fits
 */
export function fitLabel(name, room) {
  if (room < LEAST) return '';
  if (name.length <= room) return name;
  let shortest = name;
  for (const part of shorterForms(name)) {
    if (part.length <= room) return part;
    shortest = part;
  }
  return shortest.slice(0, room - 1) + '…';
}

/** Ever shorter forms of a name, the last one is the bare method or function. */
function* shorterForms(name) {
  if (name.startsWith('[')) return;
  const bare = withoutArguments(name);
  if (bare !== name) yield bare;
  const scope = bare.includes('::') ? '::' : '';
  if (scope) {
    const parts = splitOutsideTemplates(bare);
    if (parts.length > 2) yield parts.slice(-2).join(scope);
    yield parts.at(-1);
    return;
  }
  // clojure.core// is the function named /.
  const slash = bare.endsWith('//') ? bare.length - 2 : bare.lastIndexOf('/');
  const last = bare.slice(slash + 1);
  if (slash >= 0 && last !== '') yield last;
  const dot = last.lastIndexOf('.');
  if (dot > 0 && dot < last.length - 1) yield last.slice(dot + 1);
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
