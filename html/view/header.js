// Above the graph: what was measured, and how far it can be trusted.

import {eventTexts, formatCount, formatDuration, formatShare, formatTime, formatValue} from '../model/numbers.js';
import {allocatedText, bracketedWordsOf, hasAccount, pausesText, phrasesOf, verdictOf} from '../model/quality.js';

import {byId, make} from './dom.js';

const SIDES = ['before', 'after'];

/** @param {import('../model/decode.js').Profile} profile */
export function showHeader(profile) {
  const {header} = profile;
  byId('title').textContent = header.title || 'Flame graph';
  byId('facts').replaceChildren(...contextOf(header).map((text) => make('span', {}, text)));
  byId('account').replaceChildren(...accountOf(header));
  showNotes(header.quality?.notes ?? []);
  byId('quality').hidden = !hasAccount(header);
  byId('quality-table').replaceChildren(...qualityRows(header).map(([label, value]) => tableRow(label, value)));
  showWords(profile);
}

/** @param {import('../model/decode.js').Profile} profile  a difference */
export function showDifferenceHeader(profile) {
  const {title, values, difference} = profile.header;
  const count = values.length / 2;
  const sides = difference.sides.map((side, i) => ({...side, values: values.slice(i * count, (i + 1) * count)}));
  byId('title').textContent = title;
  byId('facts').replaceChildren(...sides.map((side, i) => {
    const facts = [side.title && side.title !== side.name ? `${side.name}: ${side.title}` : side.name, ...contextOf(side)];
    if (side.runs > 1) facts.push(`${side.runs} runs together`);
    if (difference.per) facts.push(`amounts per ${difference.per}`);
    return make('span', {class: 'side'}, make('b', {}, SIDES[i]), ...facts.map((text) => make('span', {}, text)));
  }));
  byId('account').replaceChildren(...sides.map(
      (side, i) => make('div', {class: 'side'}, make('b', {}, SIDES[i]), ...accountOf(side, {isShort: true}))));
  showNotes(sides.flatMap(({quality}, i) => (quality?.notes ?? []).map((note) => `${SIDES[i]}: ${note}`)));
  byId('quality').hidden = !sides.some(hasAccount);
  byId('quality-table').replaceChildren(
      tableRow('', ...SIDES), ...pairs(...sides.map(qualityRows)).map((cells) => tableRow(...cells)));
  showWords(profile);
}

/** How far the profile can be trusted, and the figures that say so. @param {boolean} isShort  nothing is said of what is good */
function accountOf(header, {isShort = false} = {}) {
  const {word, isGood, why} = verdictOf(header);
  const phrases = phrasesOf(header).map(([text, title, look]) => make('span', {class: `phrase ${look ?? ''}`, title}, text));
  const words = isGood && isShort ? [] : [make('span', {class: 'why'}, why)];
  return [make('strong', {class: isGood ? 'verdict good' : 'verdict', title: why}, word), ...words, ...phrases];
}

/** What the bracketed frames of this profile mean. */
function showWords(profile) {
  const words = bracketedWordsOf(profile);
  byId('bracketed').hidden = words.length === 0;
  byId('bracketed-words').replaceChildren(...words.flatMap(([word, meaning]) => [make('dt', {}, word), make('dd', {}, meaning)]));
}

/** Rows of both by their labels, in the order of the first; [label, before, after]. */
function pairs(before, after) {
  const rows = new Map(before.map(([label, value]) => [label, [label, value, '–']]));
  for (const [label, value] of after) rows.set(label, [label, rows.get(label)?.[1] ?? '–', value]);
  return [...rows.values()];
}

function showNotes(notes) {
  byId('notes').replaceChildren(...notes.map((note) => make('li', {}, note)));
  byId('notes').hidden = notes.length === 0;
}

function tableRow(label, ...values) {
  return make('tr', {}, make('th', {scope: 'row'}, label), ...values.map((value) => make('td', {}, value)));
}

function contextOf(header) {
  const facts = [];
  facts.push(...eventTexts(header));
  if (header.start_unix_ms > 0) facts.push(formatTime(header.start_unix_ms));
  if (header.runtime) facts.push(header.runtime);
  if (header.producer) facts.push(header.producer);
  return facts;
}

function lostText({lost = 0, samples = 0}) {
  return lost > 0 ? `${formatCount(lost)} · ${formatShare(lost, lost + samples)}` : '0';
}

function wholeText({whole = 0, java_samples: javaSamples = 0}) {
  return javaSamples > 0 ? formatShare(whole, javaSamples) : '–';
}

/** @param {'handler'|'walk'} part of a sample's time */
function timesText(quality, part) {
  const times = [quality[`${part}_ns_p50`], quality[`${part}_ns_p99`]].map((time) => formatDuration(time ?? 0));
  return `median ${times[0]}, p99 ${times[1]}`;
}

function byCount(counts = {}) {
  return Object.entries(counts).sort(([wordA, a], [wordB, b]) => b - a || (wordA < wordB ? -1 : 1));
}

function sum(counts = {}) { return Object.values(counts).reduce((total, count) => total + count, 0); }

/** What the JVM itself counted while objects were sampled. */
function allocationRows(header) {
  const {quality = {}} = header;
  const {allocated_bytes: allocated = 0, sampled_bytes: sampled = 0} = quality;
  if (allocated === 0 && sampled === 0) return [];
  const counted = [
    ['Allocated, by the JVM\'s own count', allocatedText(header)],
    ['… that samples account for', formatShare(sampled, allocated)],
  ];
  return [
    ...(allocated > 0 ? counted : []),
    ['Garbage collection', pausesText(quality)],
    ['CPU time of the collector', `${formatDuration(quality.gc_cpu_ns ?? 0)} · ${formatShare(quality.gc_cpu_ns ?? 0, quality.process_cpu_ns)}`],
  ];
}

/** The whole account of the profile's quality, for the panel behind "Quality". */
function qualityRows(header) {
  const quality = header.quality ?? {};
  const {samples = 0} = quality;
  const counted = (label, count) => [label, `${formatCount(count)} · ${formatShare(count, samples)}`];
  const rows = [
    ['Samples recorded', formatCount(samples)],
    ['Samples lost', lostText(quality)],
    ['Weight of the lost', formatValue(quality.lost_weight ?? 0, header.values.at(-1))],
    ['Samples of Java threads', formatCount(quality.java_samples ?? 0)],
    ['… with a whole stack', `${formatCount(quality.whole ?? 0)} · ${wholeText(quality)}`],
    ['Walks that a second try saved', formatCount(quality.recovered ?? 0)],
    ['Stacks truncated', formatCount(quality.truncated ?? 0)],
    ...byCount(quality.failures).map(([word, count]) => counted(`[${word}]`, count)),
    counted('Samples without symbols', sum(quality.without_symbols)),
    ...byCount(quality.without_symbols).map(([library, count]) => counted(`… in ${library}`, count)),
    ['Time of a stack walk', timesText(quality, 'walk')],
    ['Time of a sample', timesText(quality, 'handler')],
    ['CPU time of the profiling', formatDuration(quality.own_cpu_ns ?? 0)],
    ['Engine', quality.engine ?? '–'],
  ];
  rows.push(...allocationRows(header));
  if (quality.threads_cpu_ns > 0) rows.push(['CPU time of the threads', formatDuration(quality.threads_cpu_ns)]);
  return rows;
}
