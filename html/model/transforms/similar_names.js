// Removes numbers from generated names. Same rules as agent/profile/analysis/normalized_names.cpp.

import {hasPackage, THREAD} from '../data/kinds.js';

const WORD = '[\\w\\u0080-\\uffff]';
const NUMBERED =
    '\\$Proxy|LambdaForm\\$(?:MH|DMH|BMH)|Generated(?:Method|Constructor|SerializationConstructor)Accessor';
const NUMBERS = new RegExp(
    [
      `(?<=.)[/.+](?<!\\d)\\d${WORD}*`,            // address or number of a hidden class
      `(?<=.)(?:--|__)\\d+(?!${WORD})`,            // fn--123
      `(?<=[/$]eval)\\d+(?!${WORD})`,              // eval123
      `(?<=\\$\\$Lambda)\\$\\d+(?!${WORD})`,
      `(?<=${NUMBERED})\\d+(?!${WORD})`,
    ].join('|'),
    'g');

/** @return {string} the name without the numbers that differ from run to run */
export function similarName(name, kind) {
  if (kind === THREAD) return name.replace(/ tid=[^=]*$/, ']');
  if (!hasPackage(kind)) return name;
  // Signatures contain no generated names.
  const end = name.includes('(') ? name.indexOf('(') : name.length;
  return name.slice(0, end).replace(NUMBERS, '') + name.slice(end);
}
