// The form that starts a session, made of the options that the agent itself names: what is said here of some of them only makes
// them nicer to read.

/**
 * @typedef {Object} Field
 * @property {string} name  of the option
 * @property {'flag'|'text'|'choice'|'optional'|'lines'} kind  optional: on or off, with a value or without; lines: a value each
 * @property {string} label @property {string} accepts @property {string} example @property {string[]} choices
 * @property {string} group  one of GROUPS' ids
 * @property {Object<string, string>} words  what choices are called
 * @property {string} means  what follows from it, or ''
 */

export const GROUPS = [
  {id: 'cpu', label: 'CPU time', means: 'what threads compute'},
  {id: 'wall', label: 'Wall clock', means: 'what threads compute and wait for'},
  {id: 'alloc', label: 'Allocations', means: 'which objects are made, and where'},
  {id: 'lock', label: 'Locks', means: 'who waits for whom'},
  {id: 'front', label: ''},
  {id: 'samples', label: 'Which samples'},
  {id: 'stacks', label: 'Stacks'},
  {id: 'output', label: 'Names and lines'},
  {id: 'page', label: 'Flame graph'},
];

const CPU_ENGINES = {'cpu': 'best engine', 'cpu-clock': 'perf_events', 'ctimer': 'thread timers', 'itimer': 'process timer'};

// In the order of the form.
const KNOWN = [
  ['event', {group: 'cpu', label: 'CPU time', kind: 'optional', words: CPU_ENGINES}],
  ['interval', {group: 'cpu', label: 'every', example: '10ms'}],
  ['wall', {group: 'wall', label: 'Wall clock', example: '50ms'}],
  ['alloc', {group: 'alloc', label: 'Allocations', example: '512k'}],
  ['live', {group: 'alloc', label: 'What stays reachable'}],
  ['exact', {group: 'alloc', label: 'Every object', means: 'many times slower'}],
  ['tlab', {group: 'alloc', label: 'By TLABs'}],
  ['lock', {group: 'lock', label: 'Locks', example: '10us'}],
  ['title', {group: 'front', label: 'Title', example: 'Before the change'}],
  ['timeout', {group: 'front', label: 'Stop by itself after', example: '10m'}],
  ['filter', {group: 'front', label: 'Only threads', example: 'main;pool-.*'}],
  ['threads', {group: 'front', label: 'Thread by thread'}],
  ['begin', {group: 'samples', label: 'From function', example: 'VM_ThreadDump::doit'}],
  ['end', {group: 'samples', label: 'To function', example: 'VM_Exit::doit'}],
  ['ttsp', {group: 'samples', label: 'Time to safepoint only'}],
  ['include', {group: 'samples', label: 'Only stacks with', example: 'my.app/*', kind: 'lines'}],
  ['exclude', {group: 'samples', label: 'No stacks with', example: '*Unsafe.park', kind: 'lines'}],
  ['jstackdepth', {group: 'stacks', label: 'Depth', example: '2048'}],
  ['cstack', {group: 'stacks', label: 'Walked by'}],
  ['features', {group: 'stacks', label: 'Features', example: 'vtable+comptask'}],
  ['simple', {group: 'output', label: 'No packages'}],
  ['sig', {group: 'output', label: 'Signatures'}],
  ['ann', {group: 'output', label: 'Suffixes by kind'}],
  ['lines', {group: 'output', label: 'Line numbers'}],
  ['lib', {group: 'output', label: 'Libraries'}],
  ['dot', {group: 'output', label: 'Dots for slashes'}],
  ['norm', {group: 'output', label: 'No generated numbers'}],
  ['clojure', {group: 'output', label: 'Clojure names'}],
  ['minwidth', {group: 'page', label: 'No frames below, in percent', example: '0.1'}],
  ['transform', {group: 'page', label: 'Transforms', example: 'collapse-recursion', kind: 'lines'}],
  ['highlight', {group: 'page', label: 'Highlights', example: 'my.app', kind: 'lines'}],
  ['sort', {group: 'page', label: 'Siblings by'}],
  ['reverse', {group: 'page', label: 'Callers first'}],
  ['inverted', {group: 'page', label: 'Root at the top'}],
  ['samples', {group: 'page', label: 'Open on samples'}],
  ['total', {group: 'page', label: 'Open on the total'}],
];

const KINDS = {nothing: 'flag', optional: 'optional', values: 'lines'};
const WORDS = /^[\w-]+(, [\w-]+)+$/;

/**
 * @param {{name: string, takes: string, accepts: string, output: boolean}[]} options of GET /api/options
 * @return {Field[]} in the order of the form; one that nothing is known of here stands behind the others of its group
 */
export function fieldsOf(options) {
  const known = new Map(KNOWN);
  const places = new Map(KNOWN.map(([name], place) => [name, place]));
  const names = new Set(options.map((option) => option.name));
  const fields = options.map((option) => {
    const words = WORDS.test(option.accepts) ? option.accepts.split(', ') : [];
    // wall and alloc are events, too, but have switches of their own.
    const choices = words.filter((word) => !names.has(word));
    return {
      name: option.name,
      kind: option.takes !== 'values' && choices.length > 0 ? 'choice' : KINDS[option.takes] ?? 'text',
      label: option.name,
      accepts: option.accepts,
      example: '',
      means: '',
      group: option.output ? 'output' : 'samples',
      choices,
      words: {},
      ...known.get(option.name),
    };
  });
  const placeOf = (field) => places.get(field.name) ?? KNOWN.length;
  return fields.sort((a, b) => placeOf(a) - placeOf(b));
}

/** @typedef {boolean|string|{isOn: boolean, value: string}} Value  by the field's kind */

/** @param {Field[]} fields @return {Object<string, Value>} what the form begins with */
export function firstValues(fields) {
  const first = (field) => {
    if (field.kind === 'flag') return false;
    return field.kind === 'optional' ? {isOn: field.name === 'event', value: ''} : '';
  };
  return Object.fromEntries(fields.map((field) => [field.name, first(field)]));
}

/**
 * @param {Field[]} fields @param {Object<string, Value>} values
 * @return {{body: Object, problem: ?{field: string, message: string}}} of POST /api/start
 */
export function bodyOf(fields, values) {
  const body = {};
  const measures = GROUPS.filter(({means}) => means).map(({id}) => id);
  for (const field of fields) {
    const said = saidOf(field, values[field.name]);
    if (said !== undefined) body[field.name] = said;
  }
  if (!fields.some(({name, group}) => name in body && name !== 'interval' && measures.includes(group))) {
    return {body, problem: {field: 'event', message: 'Choose what to measure.'}};
  }
  // That of CPU time: the others have theirs beside them.
  if (!('event' in body)) delete body.interval;
  return {body, problem: null};
}

function saidOf({kind, choices}, value) {
  switch (kind) {
    case 'flag':
      return value || undefined;
    case 'optional':
      if (!value.isOn) return undefined;
      // Of words the first is what happens anyway.
      return value.value.trim() || choices[0] || true;
    case 'lines': {
      const lines = value.split('\n').map((line) => line.trim()).filter((line) => line !== '');
      return lines.length > 0 ? lines : undefined;
    }
    default:
      return value.trim() || undefined;
  }
}

/** @return {string} what a refusal says, without the name of the option that it stands at */
export function withoutOption(message) { return message.replace(/^option [\w-]+: /i, ''); }

/**
 * @param {string} message of a refusal @param {Field[]} fields @return {string} name of the field that it is of, ''
 *     when it is of none
 */
export function fieldOfMessage(message, fields) {
  const name = /^(?:unknown )?option "?([\w-]+)/.exec(message)?.[1];
  return fields.some((field) => field.name === name) ? name : '';
}
