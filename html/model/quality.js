// How far a profile can be trusted, in words for who has never seen one.

import {formatBytes, formatCount, formatDuration, formatShare} from './numbers.js';
import {BRACKETED_WORDS} from './words.js';

const MUCH_LOST = 0.01;
const LARGELY_WHOLE = 0.9;
const FEW = 100;
/** From this share on a reader should get the symbols first. */
const MANY_NAMELESS = 0.05;

const sum = (counts = {}) => Object.values(counts).reduce((total, count) => total + count, 0);

/** Whoever else made a profile does not say what was lost: zeros would claim that nothing was. */
export function hasAccount({quality}) { return Boolean(quality?.engine); }

/**
 * @param {Object} header @return {{word: string, isGood: boolean, why: string}} a word for all of it, and what it means for a
 *     reader
 */
export function verdictOf(header) {
  const {quality = {}} = header;
  const {samples = 0, lost = 0, whole_share: whole} = quality;
  if (!hasAccount(header)) {
    return {word: 'Quality unknown', isGood: false, why: 'The profile was made elsewhere, and does not say what it missed.'};
  }
  if (samples === 0) return {word: 'Nothing sampled', isGood: false, why: ''};
  const doubts = [];
  if (lost > MUCH_LOST * (lost + samples)) doubts.push(`${formatShare(lost, lost + samples)} of the samples found no room and have no stack`);
  if (typeof whole === 'number' && whole < LARGELY_WHOLE) doubts.push(`${formatShare(1 - whole, 1)} of the Java stacks miss frames`);
  if (sum(quality.without_symbols) > MANY_NAMELESS * samples) doubts.push('part of the native code has no names: install its debug symbols');
  if (samples < FEW) doubts.push('few samples: small shares may be chance');
  if (doubts.length > 0) return {word: 'Read with care', isGood: false, why: capitalised(`${doubts.join('; ')}.`)};
  return {word: 'Good profile', isGood: true, why: 'What you see is what ran: hardly a sample is missing or cut.'};
}

/** @return {[string, string, string][]} a figure in words, what it means, and "warn" where it should be seen */
export function phrasesOf(header) {
  const {quality = {}, duration_ns: duration = 0} = header;
  const {samples = 0, lost = 0} = quality;
  const time = duration > 0 ? ` in ${formatDuration(duration)}` : '';
  const phrases = [[`${formatCount(samples)} samples${time}`, 'How often the profiler looked: the more, the finer the picture']];
  if (!hasAccount(header)) return phrases;
  const lostText = lost > 0 ? `${formatCount(lost)} lost (${formatShare(lost, lost + samples)})` : 'none lost';
  phrases.push([lostText, 'Samples that were taken and found no room to be stored', lost > 0 ? 'warn' : '']);
  phrases.push(...stackPhrases(quality));
  if (quality.allocated_bytes > 0) phrases.push([`${allocatedText(header)} allocated`, 'By the JVM\'s own count']);
  if (quality.gc_pauses > 0) phrases.push([pausesText(quality), 'Garbage collections that stopped the program, and for how long']);
  if (duration > 0 && quality.own_cpu_ns >= 0) {
    phrases.push([`cost ${formatShare(quality.own_cpu_ns, duration)} of a CPU`, 'What the profiling itself took, on average']);
  }
  return phrases;
}

function stackPhrases(quality) {
  const {java_samples: javaSamples = 0, whole = 0, samples, truncated = 0} = quality;
  const phrases = [];
  if (javaSamples > 0) {
    const isPoor = whole < LARGELY_WHOLE * javaSamples;
    phrases.push([`${formatShare(whole, javaSamples)} whole stacks`, 'Java stacks that were followed from the innermost frame to the thread\'s first', isPoor ? 'warn' : '']);
  }
  if (truncated > 0) phrases.push([`${formatCount(truncated)} cut`, 'Stacks deeper than jstackdepth', 'warn']);
  const nameless = sum(quality.without_symbols);
  if (nameless > 0) {
    const isMuch = nameless > MANY_NAMELESS * samples;
    phrases.push([`${formatShare(nameless, samples)} without names`, 'Samples whose innermost frame lies in a library without symbols', isMuch ? 'warn' : '']);
  }
  return phrases;
}

/** @return {string} bytes, and how many a second */
export function allocatedText({quality, duration_ns: duration}) {
  const rate = duration > 0 ? ` · ${formatBytes(quality.allocated_bytes * 1e9 / duration)}/s` : '';
  return `${formatBytes(quality.allocated_bytes)}${rate}`;
}

export function pausesText({gc_pauses: pauses = 0, gc_pause_ns: time = 0}) {
  return `${formatCount(pauses)} GC pause${pauses === 1 ? '' : 's'} · ${formatDuration(time)}`;
}

/** @param {import('./decode.js').Profile} profile @return {[string, string][]} each bracketed word that it has, with its meaning */
export function bracketedWordsOf({names, header}) {
  const sides = header.difference ? header.difference.sides : [header];
  const failed = sides.flatMap(({quality}) => Object.keys(quality?.failures ?? {}).map((word) => `[${word}]`));
  const present = new Set([...names.filter((name) => name.startsWith('[')), ...failed]);
  return [...BRACKETED_WORDS].filter(([word]) => present.has(word));
}

function capitalised(text) { return text.charAt(0).toUpperCase() + text.slice(1); }
