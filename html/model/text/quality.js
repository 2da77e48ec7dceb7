// Describes the quality of a profile in words.

import {formatBytes, formatCount, formatDuration, formatShare} from './numbers.js';
import {BRACKETED_WORDS} from './words.js';

const MUCH_LOST = 0.01;
const LARGELY_WHOLE = 0.9;
const FEW = 100;
/** From this share on readers should install debug symbols. */
const MANY_NAMELESS = 0.05;
const ADVICE = {
  'CPU': {unit: 'nanoseconds', least: 1e6, option: '-i 1ms'},
  'wall clock': {unit: 'nanoseconds', least: 10e6, option: '--wall 10ms'},
  'allocation': {unit: 'bytes', least: 64 << 10, option: '--alloc 64k'},
  'live object': {unit: 'bytes', least: 64 << 10, option: '--alloc 64k'},
};

const sum = (counts = {}) => Object.values(counts).reduce((total, count) => total + count, 0);

/** Whether the profile has quality data. Files of other tools have none; zeros would claim that nothing was lost. */
export function hasAccount({quality}) { return Boolean(quality?.engine); }

/**
 * @param {Object} header @param {import('../trees/sampled.js').Sampled} sampled  of the value shown
 * @return {{word: string, isGood: boolean, why: string}} the verdict, and its reason
 */
export function verdictOf(header, sampled) {
  const {quality = {}} = header;
  const {samples = 0, lost = 0, whole_share: whole} = quality;
  if (!hasAccount(header)) return {word: 'Quality unknown', isGood: false, why: 'This file has no quality data.'};
  if (samples === 0) return {word: 'No samples', isGood: false, why: ''};
  if (sampled.samples === 0) return {word: 'No samples', isGood: false, why: `No ${sampled.event} samples; the other values have ${formatCount(samples)}.`};
  const doubts = [];
  if (sampled.samples < FEW) doubts.push(`${samplesText(sampled)}${timeText(header)}, small shares may be chance: ${adviceFor(sampled)}`);
  if (lost > MUCH_LOST * (lost + samples)) doubts.push(`${formatShare(lost, lost + samples)} of the samples were lost and have no stack`);
  if (typeof whole === 'number' && whole < LARGELY_WHOLE) doubts.push(`${formatShare(1 - whole, 1)} of the Java stacks are incomplete`);
  if (sum(quality.without_symbols) > MANY_NAMELESS * samples) doubts.push('part of the native code has no symbols: install its debug symbols');
  if (doubts.length > 0) return {word: 'Read with care', isGood: false, why: capitalised(`${doubts.join('; ')}.`)};
  return {word: 'Good profile', isGood: true, why: goodText(quality)};
}

function goodText({lost = 0, whole_share: whole, truncated = 0}) {
  const kept = lost > 0 ? 'Almost no samples lost' : 'No samples lost';
  if (typeof whole !== 'number') return `${kept}.`;
  return whole === 1 && truncated === 0 ? `${kept}, all stacks complete.` : `${kept}, nearly all stacks complete.`;
}

/** @return {string} 35 CPU samples */
function samplesText({samples, isEstimate, event}) {
  const noun = samples === 1 ? 'sample' : 'samples';
  return `${isEstimate ? 'about ' : ''}${formatCount(samples)}${event === '' ? '' : ` ${event}`} ${noun}`;
}

/** @return {string} advice for getting more samples */
function adviceFor({event, every}) {
  const advice = ADVICE[event];
  const isFiner = advice && advice.unit === every.unit && every.interval > advice.least;
  return isFiner ? `use ${advice.option} or a longer run` : 'use a longer run';
}

/**
 * @param {Object} header @param {import('../trees/sampled.js').Sampled} sampled  of the value that is shown
 * @return {[string, string, string][]} text, explanation, and "warn" for a figure that needs attention
 */
export function phrasesOf(header, sampled) {
  const {quality = {}, duration_ns: duration = 0} = header;
  const {samples = 0, lost = 0} = quality;
  const others = sampled.isOfSeveral ? `. ${formatCount(samples)} with the other values` : '';
  const count = [`${samplesOf(sampled)}${timeText(header)}`, `Number of samples: the more, the more precise are shares${others}`];
  if (!hasAccount(header)) return [count];
  // If there are few samples, the verdict shows their number.
  const phrases = sampled.samples < FEW && samples > 0 ? [] : [count];
  const lostText = lost > 0 ? `${formatCount(lost)} lost (${formatShare(lost, lost + samples)})` : 'none lost';
  phrases.push([lostText, 'Samples that could not be stored because a buffer was full', lost > 0 ? 'warn' : '']);
  phrases.push(...stackPhrases(quality));
  if (quality.allocated_bytes > 0) phrases.push([`${allocatedText(header)} allocated`, 'As counted by the JVM']);
  if (quality.gc_pauses > 0) phrases.push([pausesText(quality), 'Garbage collections that stopped the program, and their total time']);
  if (duration > 0 && quality.own_cpu_ns >= 0) {
    phrases.push([`overhead ${formatShare(quality.own_cpu_ns, duration)} of a CPU`, 'Average CPU use of the profiler itself']);
  }
  return phrases;
}

function timeText({duration_ns: duration = 0}) { return duration > 0 ? ` in ${formatDuration(duration)}` : ''; }

/** Names the event if the profile has several. */
function samplesOf(sampled) { return samplesText(sampled.isOfSeveral ? sampled : {...sampled, event: ''}); }

function stackPhrases(quality) {
  const {java_samples: javaSamples = 0, whole = 0, samples, truncated = 0} = quality;
  const phrases = [];
  if (javaSamples > 0) {
    const isPoor = whole < LARGELY_WHOLE * javaSamples;
    phrases.push([`${formatShare(whole, javaSamples)} complete stacks`, 'Java stacks that were walked from the innermost frame to the first frame of the thread', isPoor ? 'warn' : '']);
  }
  if (truncated > 0) phrases.push([`${formatCount(truncated)} truncated`, 'Stacks deeper than jstackdepth', 'warn']);
  const nameless = sum(quality.without_symbols);
  if (nameless > 0) {
    const isMuch = nameless > MANY_NAMELESS * samples;
    phrases.push([`${formatShare(nameless, samples)} without symbols`, 'Samples with their innermost frame in a library without symbols', isMuch ? 'warn' : '']);
  }
  return phrases;
}

/** @return {string} bytes, and bytes per second */
export function allocatedText({quality, duration_ns: duration}) {
  const rate = duration > 0 ? ` · ${formatBytes(quality.allocated_bytes * 1e9 / duration)}/s` : '';
  return `${formatBytes(quality.allocated_bytes)}${rate}`;
}

export function pausesText({gc_pauses: pauses = 0, gc_pause_ns: time = 0}) {
  return `${formatCount(pauses)} GC pause${pauses === 1 ? '' : 's'} · ${formatDuration(time)}`;
}

/** @param {import('../data/decode.js').Profile} profile @return {[string, string][]} bracketed words of the profile with their meanings */
export function bracketedWordsOf({names, header}) {
  const sides = header.difference ? header.difference.sides : [header];
  const failed = sides.flatMap(({quality}) => Object.keys(quality?.failures ?? {}).map((word) => `[${word}]`));
  const present = new Set([...names.filter((name) => name.startsWith('[')), ...failed]);
  return [...BRACKETED_WORDS].filter(([word]) => present.has(word));
}

function capitalised(text) { return text.charAt(0).toUpperCase() + text.slice(1); }
