// The header: the measured event, and the quality of the profile.

import {eventTexts, formatCount, formatDuration, formatShare, formatTime, formatValue} from '../../model/text/numbers.js';
import {allocatedText, bracketedWordsOf, hasAccount, pausesText, phrasesOf, verdictOf} from '../../model/text/quality.js';
import {documentTitleOf, processOf, titleOf} from '../../model/text/titles.js';
import {sampledOf} from '../../model/trees/sampled.js';

import {byId, make} from '../dom.js';

const SIDES = ['before', 'after'];
const SEPARATOR = ' · ';

/** @param {import('../../model/data/decode.js').Profile} profile */
export function showHeader(profile) {
  const {header} = profile;
  byId('title').textContent = titleOf(header);
  document.title = documentTitleOf(header);
  showFacts(contextOf(header), SEPARATOR);
  showNotes(header.quality?.notes ?? []);
  byId('quality-table').hidden = !hasAccount(header);
  byId('quality-table').replaceChildren(...qualityRows(header).map(([label, value]) => tableRow(label, value)));
  showWords(profile);
}

/** @param {import('../../model/data/decode.js').Profile} profile @param {number} lens  the value type shown */
export function showAccount(profile, lens) {
  const sampled = sampledOf(profile, lens);
  showVerdict([verdictOf(profile.header, sampled)]);
  byId('account').replaceChildren(...accountOf(profile.header, sampled));
}

/** @param {import('../../model/data/decode.js').Profile} profile  a difference */
export function showDifferenceHeader(profile) {
  const {title, values, difference} = profile.header;
  const count = values.length / 2;
  const sides = difference.sides.map((side, i) => ({...side, values: values.slice(i * count, (i + 1) * count)}));
  byId('title').textContent = title;
  showFacts(sides.map((side, i) => {
    const facts = [side.title && side.title !== side.name ? `${side.name}: ${side.title}` : side.name, ...contextOf(side)];
    if (side.runs > 1) facts.push(`${side.runs} runs combined`);
    if (difference.per) facts.push(`amounts per ${difference.per}`);
    return make('span', {class: 'side'}, make('b', {}, SIDES[i]), ' ', facts.join(SEPARATOR));
  }), ' ');
  showNotes(sides.flatMap(({quality}, i) => (quality?.notes ?? []).map((note) => `${SIDES[i]}: ${note}`)));
  byId('quality-table').hidden = !sides.some(hasAccount);
  byId('quality-table').replaceChildren(
      tableRow('', ...SIDES), ...pairs(...sides.map(qualityRows)).map((cells) => tableRow(...cells)));
  showWords(profile);
}

/** Shows the quality of each side. @param {import('../../model/data/decode.js').Profile} profile  a difference */
export function showDifferenceAccount(profile, lens) {
  const {values, difference} = profile.header;
  const sampled = difference.sides.map((side, i) => sampledOf(profile, lens + i * values.length / 2, side));
  showVerdict(difference.sides.map((side, i) => verdictOf(side, sampled[i])));
  byId('account').replaceChildren(...difference.sides.map(
      (side, i) => make('div', {class: 'side'}, make('b', {}, SIDES[i]), ...accountOf(side, sampled[i], {isShort: true}))));
}

/** Shows the worst of the verdicts. */
function showVerdict(verdicts) {
  const {word, isGood, why} = verdicts.find((verdict) => !verdict.isGood) ?? verdicts[0];
  byId('verdict').textContent = word;
  byId('verdict').className = isGood ? 'chip verdict good' : 'chip verdict';
  byId('verdict').title = `${why} Click for details.`;
}

/**
 * Returns the verdict on the quality and its figures.
 * @param {import('../../model/trees/sampled.js').Sampled} sampled @param {boolean} isShort  show problems only
 */
function accountOf(header, sampled, {isShort = false} = {}) {
  const {word, isGood, why} = verdictOf(header, sampled);
  const phrases = phrasesOf(header, sampled).map(([text, title, look]) => make('span', {class: `phrase ${look ?? ''}`, title}, text));
  const words = isGood && isShort ? [] : [make('span', {class: 'why'}, why)];
  return [make('strong', {class: isGood ? 'verdict good' : 'verdict'}, word), ...words, ...phrases];
}

/** Shows the origin of the profile: in the header as far as there is space, and in the details. */
function showFacts(facts, separator) {
  const parts = facts.flatMap((fact, i) => i === 0 ? [fact] : [separator, fact]);
  byId('facts').replaceChildren(...parts);
  byId('about').replaceChildren(...byId('facts').cloneNode(true).childNodes);
}

/** Shows the meanings of the profile's bracketed frames. */
function showWords(profile) {
  const words = bracketedWordsOf(profile);
  byId('bracketed').hidden = words.length === 0;
  byId('bracketed-words').replaceChildren(...words.flatMap(([word, meaning]) => [make('dt', {}, word), make('dd', {}, meaning)]));
}

/** Joins rows of both sides by label, in the order of the first side; [label, before, after]. */
function pairs(before, after) {
  const rows = new Map(before.map(([label, value]) => [label, [label, value, '–']]));
  for (const [label, value] of after) rows.set(label, [label, rows.get(label)?.[1] ?? '–', value]);
  return [...rows.values()];
}

function showNotes(notes) {
  byId('notes').replaceChildren(...notes.map((note) => make('li', {}, ...withOptions(note))));
  byId('note-count').textContent = `${formatCount(notes.length)} note${notes.length === 1 ? '' : 's'}`;
  byId('remarks').hidden = notes.length === 0;
  byId('close-notes').onclick = () => {
    byId('remarks').removeAttribute('open');
    byId('remarks').hidden = true;
  };
}

/** Keeps each option of the JVM in a text on one line, to be copied. */
function withOptions(text) { return text.split(/(-XX:[^\s,;]+)/).map((part, i) => i % 2 === 1 ? make('code', {}, part) : part); }

function tableRow(label, ...values) {
  return make('tr', {}, make('th', {scope: 'row'}, label), ...values.map((value) => make('td', {}, value)));
}

function contextOf(header) {
  const facts = processOf(header);
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

/** @param {'handler'|'walk'} part of the time per sample */
function timesText(quality, part) {
  const times = [quality[`${part}_ns_p50`], quality[`${part}_ns_p99`]].map((time) => formatDuration(time ?? 0));
  return `median ${times[0]}, p99 ${times[1]}`;
}

function byCount(counts = {}) {
  return Object.entries(counts).sort(([wordA, a], [wordB, b]) => b - a || (wordA < wordB ? -1 : 1));
}

function sum(counts = {}) { return Object.values(counts).reduce((total, count) => total + count, 0); }

/** The JVM's own allocation and GC counters. */
function allocationRows(header) {
  const {quality = {}} = header;
  const {allocated_bytes: allocated = 0, sampled_bytes: sampled = 0} = quality;
  if (allocated === 0 && sampled === 0) return [];
  const counted = [
    ['Allocated (counted by the JVM)', allocatedText(header)],
    ['… covered by samples', formatShare(sampled, allocated)],
  ];
  return [
    ...(allocated > 0 ? counted : []),
    ['Garbage collection', pausesText(quality)],
    ['GC CPU time', `${formatDuration(quality.gc_cpu_ns ?? 0)} · ${formatShare(quality.gc_cpu_ns ?? 0, quality.process_cpu_ns)}`],
  ];
}

/** All quality data, for the details popup. */
function qualityRows(header) {
  const quality = header.quality ?? {};
  const {samples = 0} = quality;
  const counted = (label, count) => [label, `${formatCount(count)} · ${formatShare(count, samples)}`];
  const rows = [
    ['Samples recorded', formatCount(samples)],
    ['Samples lost', lostText(quality)],
    ['Value of lost samples', formatValue(quality.lost_weight ?? 0, header.values.at(-1))],
    ['Samples of Java threads', formatCount(quality.java_samples ?? 0)],
    ['… with a complete stack', `${formatCount(quality.whole ?? 0)} · ${wholeText(quality)}`],
    ['Stacks recovered by a second walk', formatCount(quality.recovered ?? 0)],
    ['Stacks truncated', formatCount(quality.truncated ?? 0)],
    ...byCount(quality.failures).map(([word, count]) => counted(`[${word}]`, count)),
    counted('Samples without symbols', sum(quality.without_symbols)),
    ...byCount(quality.without_symbols).map(([library, count]) => counted(`… in ${library}`, count)),
    ['Time per stack walk', timesText(quality, 'walk')],
    ['Time per sample', timesText(quality, 'handler')],
    ['Profiler CPU time', formatDuration(quality.own_cpu_ns ?? 0)],
    ['Engine', quality.engine ?? '–'],
  ];
  rows.push(...allocationRows(header));
  if (quality.threads_cpu_ns > 0) rows.push(['CPU time of the profiled threads', formatDuration(quality.threads_cpu_ns)]);
  return rows;
}
