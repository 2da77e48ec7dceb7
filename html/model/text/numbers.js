// Formats numbers. The unit of a value type comes from the profile: count, nanoseconds, bytes.

const SPACE = '\u00a0';
const LENS_NAMES = {
  samples: 'samples',
  cpu: 'CPU time',
  wall: 'wall time',
  alloc_objects: 'objects',
  alloc_space: 'bytes',
  inuse_objects: 'live objects',
  inuse_space: 'live bytes',
  native_allocs: 'native allocations',
  native_alloc_space: 'native bytes',
  native_inuse_allocs: 'live native allocations',
  native_inuse_space: 'live native bytes',
  heap_growth: 'heap growth an hour',
  native_growth: 'native growth an hour',
  traced_calls: 'traced calls',
  traced_time: 'time in traced calls',
  contentions: 'lock waits',
  delay: 'lock delay',
  native_contentions: 'native lock waits',
  native_delay: 'native lock delay',
  io_calls: 'I/O calls',
  io_time: 'I/O time',
  io_transfers: 'I/O transfers',
  io_bytes: 'I/O bytes',
  wakeups: 'wake-ups',
  wakers: 'waited until woken',
  vthread_waits: 'virtual thread waits',
  vthreads: 'virtual thread wait time',
};
const COUNTED = {
  samples: 'sample',
  alloc_objects: 'object',
  inuse_objects: 'object',
  native_allocs: 'allocation',
  native_inuse_allocs: 'allocation',
  traced_calls: 'call',
  contentions: 'wait',
  native_contentions: 'wait',
  io_calls: 'call',
  io_transfers: 'transfer',
  wakeups: 'wake-up',
  vthread_waits: 'wait'
};
const grouped = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});

/** @param {{type: string}} valueType @return {string} display name of a value type */
export function lensName(valueType) { return LENS_NAMES[valueType.type] ?? valueType.type.replaceAll('_', ' '); }

/**
 * @param {number} value @param {{type: string, unit: string, isMean: boolean=}} valueType  isMean: value per operation, which may
 *     be a fraction of a byte
 * @return {string} 1.23 s, 12.3 MB, 1,234 samples
 */
export function formatValue(value, valueType) {
  const {type, unit, isMean = false} = valueType;
  if (unit === 'nanoseconds') return formatDuration(value, isMean);
  if (unit === 'bytes') return formatBytes(value, isMean);
  const noun = COUNTED[type];
  const count = isMean && value > 0 && value < 99.95 && !Number.isInteger(value) ? threeDigits(value) : formatCount(value);
  if (unit === 'count' && noun) return `${count}${SPACE}${noun}${value === 1 ? '' : 's'}`;
  return `${count}${SPACE}${unit === 'count' ? lensName(valueType) : unit}`;
}

/** @return {string} noun of a count: samples, objects */
export function countNoun(valueType) {
  if (valueType.unit !== 'count') return valueType.unit;
  return COUNTED[valueType.type] ? `${COUNTED[valueType.type]}s` : lensName(valueType);
}

export function formatCount(value) { return grouped.format(value); }

/** @param {number} nanoseconds @param {boolean=} hasParts  show fractions of a nanosecond */
export function formatDuration(nanoseconds, hasParts = false) {
  const seconds = nanoseconds / 1e9;
  if (seconds >= 120) return formatLong(Math.round(seconds));
  return scaled(nanoseconds, [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']], hasParts);
}

function formatLong(seconds) {
  const two = (number) => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${SPACE}min${SPACE}${two(seconds % 60)}${SPACE}s`;
  return `${formatCount(Math.floor(minutes / 60))}${SPACE}h${SPACE}${two(minutes % 60)}${SPACE}min`;
}

/** @param {number} bytes @param {boolean=} hasParts  show fractions of a byte */
export function formatBytes(bytes, hasParts = false) {
  return scaled(bytes, [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']], hasParts);
}

/**
 * @param {number} value @param {number} nanoseconds of the time span @return {string} 12.3 MB/s, 1.93 CPUs, 14.2 threads,
 *     99 samples/s
 */
export function formatRate(value, nanoseconds, valueType) {
  const perSecond = nanoseconds > 0 ? value * 1e9 / nanoseconds : 0;
  if (valueType.unit !== 'nanoseconds') return `${formatValue(Math.round(perSecond), valueType)}/s`;
  const many = perSecond / 1e9;
  const noun = valueType.type === 'cpu' ? 'CPUs' : 'threads';
  return `${many.toFixed(many >= 99.95 ? 0 : many >= 9.995 ? 1 : 2)}${SPACE}${noun}`;
}

/** Three significant digits; a value that would round to 1000 moves to the next unit. */
function scaled(value, units, hasParts) {
  if (value === 0) return `0${SPACE}${units[0][1] === 's' ? 's' : 'B'}`;
  const [size, name] = units.find(([unit]) => value >= 0.9995 * unit) ?? units.at(-1);
  const number = value / size;
  if (number >= 1000) return `${formatCount(number)}${SPACE}${name}`;
  const isWhole = size === 1 && (!hasParts || Number.isInteger(number));
  return `${isWhole ? number.toFixed(0) : threeDigits(number)}${SPACE}${name}`;
}

function threeDigits(number) {
  if (number < 0.9995) return String(Number(number.toPrecision(3)));
  return number.toFixed(number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2);
}

/** @return {string} message for a profile whose total is 0 */
export function nothingText(valueType) {
  const isLive = valueType.type.startsWith('inuse_');
  return isLive ? 'No sampled object is still reachable.' : 'No samples.';
}

/** Same as formatValue(), but whole KiB and MiB are shown as such. */
function formatInterval(interval, valueType) {
  if (valueType.unit !== 'bytes' || interval % 1024 !== 0) return formatValue(interval, valueType);
  const isMib = interval % (1 << 20) === 0;
  return `${formatCount(interval / (isMib ? 1 << 20 : 1024))}${SPACE}${isMib ? 'MiB' : 'KiB'}`;
}

function intervalText(header, types, i) {
  const interval = types[i].interval ?? (i === types.length - 1 ? header.interval : 0);
  if (!(interval > 0)) return '';
  const text = formatInterval(interval, types[i]);
  return types[i].type === 'delay' ? `, waits under ${text} sampled` : ` every ${text}`;
}

/** @return {string[]} each event with its interval: cpu every 10.0 ms; alloc, live every 512 KiB */
export function eventTexts(header) {
  const names = header.event ? header.event.split(', ') : [];
  const types = header.values.filter(({type}) => !(type in COUNTED)).slice(-names.length);
  if (types.length !== names.length) return header.event ? [header.event] : [];
  const texts = [];
  let together = [];
  names.forEach((name, i) => {
    const often = intervalText(header, types, i);
    together.push(name);
    if (i + 1 < names.length && often === intervalText(header, types, i + 1)) return;
    texts.push(together.join(', ') + often);
    together = [];
  });
  return texts;
}

/**
 * @param {number} part @param {number} whole @return {string} 12.3 %, 0.012 %; 100 % and 0 % have no decimals
 */
export function formatShare(part, whole) {
  if (!(whole > 0) || part === 0) return `0${SPACE}%`;
  const percent = 100 * part / whole;
  if (part === whole) return `100${SPACE}%`;
  if (percent < 0.001) return `<${SPACE}0.001${SPACE}%`;
  const digits = percent >= 9.995 ? 1 : percent >= 0.095 ? 2 : 3;
  // Only the whole is shown as 100 %.
  const shown = percent > 99.9 && percent < 100 ? Math.min(percent, 99.9) : percent;
  return `${shown.toFixed(digits)}${SPACE}%`;
}

/**
 * @param {{change: number, bound: ?number}} change @param {?Object} valueType  null: a share
 * @return {string} +1.20 s ± 0.30 s; in percentage points, +12.8 ± 1.2
 */
export function formatChange({change, bound}, valueType) {
  const size = (value) => valueType ? formatValue(value, valueType) : formatPoints(value);
  const sign = change > 0 ? '+' : change < 0 ? '−' : '';
  const text = sign + size(Math.abs(change));
  return bound === null ? text : `${text}${SPACE}±${SPACE}${size(bound)}`;
}

function formatPoints(share) {
  const points = 100 * share;
  return points === 0 ? '0' : points.toFixed(points >= 0.995 ? 1 : points >= 0.0095 ? 2 : 3);
}

/** @param {number} milliseconds since 1970 @return {string} 2026-03-14 15:09:26 in the reader's time zone */
export function formatTime(milliseconds) {
  const time = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
