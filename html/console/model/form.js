// The form that starts a session, built from the options that the agent lists. The entries here only improve labels and order.

/**
 * @typedef {Object} Field
 * @property {string} name  of the option
 * @property {'flag'|'text'|'choice'|'optional'|'lines'} kind  optional: on or off, with an optional value; lines: one value per line
 * @property {string} label @property {string} accepts @property {string} example @property {string[]} choices
 * @property {string} about  meaning of the option, as the agent describes it
 * @property {string} group  one of GROUPS' ids
 * @property {Object<string, string>} words  labels of the choices
 * @property {string} means  a short explanation, or ''
 * @property {boolean=} isEvent  a value of the option "event", not an option
 */

export const GROUPS = [
  {id: 'cpu', label: 'CPU time', means: 'time that threads run on a CPU'},
  {id: 'wall', label: 'Wall clock', means: 'time that threads run or wait'},
  {id: 'alloc', label: 'Allocations', means: 'which objects are allocated, and where'},
  {id: 'lock', label: 'Locks', means: 'where threads wait for locks'},
  {id: 'nativelock', label: 'Native locks', means: 'where threads wait for mutexes of native code'},
  {id: 'nativemem', label: 'Native memory', means: 'where malloc is called, and memory that is not freed'},
  {id: 'io', label: 'I/O', means: 'which files and peers threads read from, write to and wait for'},
  {id: 'exception', label: 'Exceptions', means: 'which exceptions are made, and where'},
  {id: 'trace', label: 'Calls', means: 'how often methods are called, and which calls are slow'},
  {id: 'events', label: 'Other events', means: 'counted by the kernel'},
  {id: 'front', label: ''},
  {id: 'samples', label: 'Which samples'},
  {id: 'stacks', label: 'Stacks'},
  {id: 'output', label: 'Names and lines'},
  {id: 'page', label: 'Flame graph'},
];

const CPU_ENGINES = {'cpu': 'best engine', 'cpu-clock': 'perf_events', 'ctimer': 'thread timers', 'itimer': 'process timer'};

// Events with options of their own, which follow the event.
const EVENTS = {exception: {group: 'exception', label: 'Exceptions'}, holders: {group: 'lock', label: 'Holders'}, wakers: {group: 'lock', label: 'Wakers'},
  vthreads: {group: 'lock', label: 'Virtual threads'}};

// In the order of the form. Values, meaning and default of an option come from the agent.
const KNOWN = [
  ['event', {group: 'cpu', label: 'CPU time', kind: 'optional', words: CPU_ENGINES}],
  ['interval', {group: 'cpu', label: 'every'}],
  ['wall', {group: 'wall', label: 'Wall clock'}],
  ['alloc', {group: 'alloc', label: 'Allocations'}],
  ['live', {group: 'alloc', label: 'Live objects'}],
  ['exact', {group: 'alloc', label: 'Every object', means: 'many times slower'}],
  ['tlab', {group: 'alloc', label: 'Sample by TLAB'}],
  ['lock', {group: 'lock', label: 'Locks'}],
  ['nativelock', {group: 'nativelock', label: 'Native locks'}],
  ['nativemem', {group: 'nativemem', label: 'Native memory'}],
  ['nofree', {group: 'nativemem', label: 'Ignore frees'}],
  ['io', {group: 'io', label: 'I/O'}],
  ['redact', {group: 'io', label: 'Without names'}],
  ['messages', {group: 'exception', label: 'By message'}],
  ['trace', {group: 'trace', label: 'Methods'}],
  ['title', {group: 'front', label: 'Title'}],
  ['timeout', {group: 'front', label: 'Duration'}],
  ['filter', {group: 'front', label: 'Only these threads'}],
  ['threads', {group: 'front', label: 'Split by thread'}],
  ['begin', {label: 'Start at function'}],
  ['end', {label: 'End at function'}],
  ['ttsp', {label: 'Time to safepoint only'}],
  ['include', {group: 'samples', label: 'Only stacks with'}],
  ['exclude', {group: 'samples', label: 'Exclude stacks with'}],
  ['session', {label: 'Session name'}],
  ['jstackdepth', {label: 'Maximum depth'}],
  ['show-profiler', {label: 'Show frames of hearth'}],
  ['cstack', {label: 'Native stack walker'}],
  ['features', {label: 'Features'}],
  ['simple', {label: 'Omit packages'}],
  ['sig', {label: 'Signatures'}],
  ['ann', {label: 'Frame kind suffixes'}],
  ['lines', {label: 'Line numbers'}],
  ['lib', {label: 'Libraries'}],
  ['dot', {label: 'Dots instead of slashes'}],
  ['norm', {label: 'Omit generated numbers'}],
  ['clojure', {label: 'Clojure names'}],
  ['minwidth', {label: 'Hide frames under (%)'}],
  ['transform', {label: 'Transforms'}],
  ['highlight', {label: 'Highlights'}],
  ['sort', {label: 'Sort siblings by'}],
  ['reverse', {label: 'Start with callers'}],
  ['inverted', {label: 'Root at the top'}],
  ['samples', {group: 'page', label: 'Start with samples'}],
  ['total', {group: 'page', label: 'Start with time/bytes'}],
];

const KINDS = {nothing: 'flag', optional: 'optional', values: 'lines'};
const WORDS = /^[\w-]+(, [\w-]+)+$/;
// The agent's groups that are fieldsets here; others are part of "Which samples".
const FIELDSETS = ['stacks', 'output', 'page'];

/**
 * @typedef {{name: string, group: string, takes: string, accepts: string, default: string, example: string, about: string, output: boolean}} Option
 *     of GET /api/options
 */

/**
 * @param {Option[]} options
 * @return {Field[]} in the order of the form; unknown options come last in their group
 */
export function fieldsOf(options) {
  const known = new Map(KNOWN);
  const places = new Map(KNOWN.map(([name], place) => [name, place]));
  const names = new Set(options.map((option) => option.name));
  const fields = options.map((option) => {
    // The form offers one of the words with labels here, even if the agent accepts several: drop the hint after ";".
    const listed = known.get(option.name)?.words ? option.accepts.split(';')[0] : option.accepts;
    const words = WORDS.test(listed) ? listed.split(', ') : [];
    // wall and alloc are also events, but have options of their own; further events have boxes.
    const labels = known.get(option.name)?.words;
    const choices = words.filter((word) => !names.has(word) && (!labels || word in labels));
    return {
      name: option.name,
      kind: option.takes !== 'values' && choices.length > 0 ? 'choice' : KINDS[option.takes] ?? 'text',
      label: option.name,
      accepts: option.accepts,
      about: option.about,
      example: option.default || option.example,
      means: '',
      group: FIELDSETS.includes(option.group) ? option.group : 'samples',
      choices,
      words: {},
      ...known.get(option.name),
    };
  });
  const placeOf = ({name, isEvent}) => places.get(name) ?? (isEvent && name in EVENTS ? 0 : KNOWN.length);
  return [...fields, ...eventFields(options, names)].sort((a, b) => placeOf(a) - placeOf(b));
}

/** @return {Field[]} of the events that are neither engines of CPU time nor options */
function eventFields(options, names) {
  const accepts = options.find(({name}) => name === 'event')?.accepts.split(';')[0] ?? '';
  return accepts.split(', ').filter((word) => word !== '' && !(word in CPU_ENGINES) && !names.has(word)).map((name) => ({
    name,
    kind: 'flag',
    label: name[0].toUpperCase() + name.slice(1).replaceAll('-', ' '),
    accepts: '',
    example: '',
    means: '',
    group: 'events',
    choices: [],
    words: {},
    ...EVENTS[name],
    isEvent: true,
  }));
}

/** @typedef {boolean|string|{isOn: boolean, value: string}} Value  by the field's kind */

/** @param {Field[]} fields @return {Object<string, Value>} initial values of the form */
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
  for (const field of fields.filter(({isEvent}) => !isEvent)) {
    const value = bodyValueOf(field, values[field.name]);
    if (value !== undefined) body[field.name] = value;
  }
  // The interval is that of CPU time; other events have their own.
  if (!('event' in body)) delete body.interval;
  const others = fields.filter(({isEvent, name}) => isEvent && values[name]).map(({name}) => name);
  if (others.length > 0) body.event = ['event' in body ? body.event : [], others].flat().join(',');
  if (!fields.some(({name, group}) => name in body && name !== 'interval' && measures.includes(group))) {
    return {body, problem: {field: 'event', message: 'Choose what to measure.'}};
  }
  return {body, problem: null};
}

function bodyValueOf({kind, choices}, value) {
  switch (kind) {
    case 'flag':
      return value || undefined;
    case 'optional':
      if (!value.isOn) return undefined;
      // The first choice is the default.
      return value.value.trim() || choices[0] || true;
    case 'lines': {
      const lines = value.split('\n').map((line) => line.trim()).filter((line) => line !== '');
      return lines.length > 0 ? lines : undefined;
    }
    default:
      return value.trim() || undefined;
  }
}

/** @return {string} an error message without the option's name */
export function withoutOption(message) { return message.replace(/^option [\w-]+: /i, ''); }

/**
 * @param {string} message of an error @param {Field[]} fields @return {string} name of the field that it refers to, ''
 *     if none
 */
export function fieldOfMessage(message, fields) {
  const name = /^(?:unknown )?option "?([\w-]+)/.exec(message)?.[1];
  return fields.some((field) => field.name === name) ? name : '';
}
