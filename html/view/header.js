// Above the graph: what was measured, and how far it can be trusted.

import {
  eventTexts, formatBytes, formatCount, formatDuration, formatShare, formatTime, formatValue,
} from '../model/numbers.js';

import {byId, make} from './dom.js';

/** From this share on a reader should get the symbols first. */
const MANY_NAMELESS = 0.05;
const SIDES = ['before', 'after'];

/** @param {Object} header of the page's data */
export function showHeader(header) {
  byId('title').textContent = header.title || 'Flame graph';
  byId('facts').replaceChildren(...contextOf(header).map((text) => make('span', {}, text)));
  byId('figures').replaceChildren(...figuresOf(header).map(figure));
  showNotes(header.quality?.notes ?? []);
  byId('quality').hidden = !hasAccount(header);
  byId('quality-table').replaceChildren(...qualityRows(header).map(([label, value]) => tableRow(label, value)));
}

/** @param {Object} header of the data of a difference */
export function showDifferenceHeader({title, values, difference}) {
  const count = values.length / 2;
  const sides = difference.sides.map((side, i) => ({...side, values: values.slice(i * count, (i + 1) * count)}));
  byId('title').textContent = title;
  byId('facts').replaceChildren(...sides.map((side, i) => {
    const facts = [side.title && side.title !== side.name ? `${side.name}: ${side.title}` : side.name, ...contextOf(side)];
    return make('span', {class: 'side'}, make('b', {}, SIDES[i]), ...facts.map((text) => make('span', {}, text)));
  }));
  byId('figures').replaceChildren(...pairs(...sides.map(figuresOf)).map(([label, before, after, state]) =>
    figure([label, before === after ? before : `${before} → ${after}`, state])));
  showNotes(sides.flatMap(({quality}, i) => (quality?.notes ?? []).map((note) => `${SIDES[i]}: ${note}`)));
  byId('quality').hidden = !sides.some(hasAccount);
  byId('quality-table').replaceChildren(
      tableRow('', ...SIDES), ...pairs(...sides.map(qualityRows)).map((cells) => tableRow(...cells.slice(0, 3))));
}

/** Rows of both by their labels, in the order of the first; [label, before, after, state]. */
function pairs(before, after) {
  const rows = new Map(before.map(([label, value, state]) => [label, [label, value, '–', state]]));
  for (const [label, value, state] of after) {
    const [, other = '–', , otherState] = rows.get(label) ?? [];
    rows.set(label, [label, other, value, state || otherState]);
  }
  return [...rows.values()];
}

function showNotes(notes) {
  byId('notes').replaceChildren(...notes.map((note) => make('li', {}, note)));
  byId('notes').hidden = notes.length === 0;
}

function tableRow(label, ...values) {
  return make('tr', {}, make('th', {scope: 'row'}, label), ...values.map((value) => make('td', {}, value)));
}

/** Whoever else made a profile does not say what was lost: zeros would claim that nothing was. */
function hasAccount({quality}) { return Boolean(quality?.engine); }

function contextOf(header) {
  const facts = [];
  facts.push(...eventTexts(header));
  if (header.start_unix_ms > 0) facts.push(formatTime(header.start_unix_ms));
  if (header.runtime) facts.push(header.runtime);
  if (header.producer) facts.push(header.producer);
  return facts;
}

/** @return {string[][]} label, value, and "warn" where it is to stand out */
function figuresOf(header) {
  const quality = header.quality ?? {};
  const figures = [];
  if (header.duration_ns > 0) figures.push(['Duration', formatDuration(header.duration_ns)]);
  figures.push(['Samples', formatCount(quality.samples ?? 0)]);
  if (!hasAccount(header)) return [...figures, ['Quality', 'unknown: the profile was made elsewhere']];
  if (quality.allocated_bytes > 0) figures.push(['Allocated', allocatedText(header)]);
  if (quality.gc_pauses > 0) figures.push(['Garbage collection', pausesText(quality)]);
  figures.push(['Lost', lostText(quality), quality.lost > 0 ? 'warn' : '']);
  const share = quality.whole_share;
  figures.push(['Whole stacks', wholeText(quality), typeof share === 'number' && share < 0.9 ? 'warn' : '']);
  const failed = sum(quality.failures);
  figures.push(['Walk failures', failed > 0 ? `${formatCount(failed)} · ${firstWords(quality.failures)}` : '0']);
  if (quality.truncated > 0) figures.push(['Truncated', formatCount(quality.truncated), 'warn']);
  const nameless = sum(quality.without_symbols);
  if (nameless > 0) {
    const text = `${formatShare(nameless, quality.samples)} · ${firstWords(quality.without_symbols)}`;
    figures.push(['Without symbols', text, nameless > MANY_NAMELESS * quality.samples ? 'warn' : '']);
  }
  figures.push(['Engine', quality.engine]);
  figures.push(['Overhead', overheadText(header)]);
  return figures;
}

function figure([label, value, state = '']) {
  return make('div', {class: `figure ${state}`}, make('dt', {}, label), make('dd', {title: value}, value));
}

function lostText({lost = 0, samples = 0}) {
  return lost > 0 ? `${formatCount(lost)} · ${formatShare(lost, lost + samples)}` : '0';
}

function wholeText({whole = 0, java_samples: javaSamples = 0}) {
  return javaSamples > 0 ? formatShare(whole, javaSamples) : '–';
}

function overheadText({duration_ns: duration, quality = {}}) {
  if (!(duration > 0) || !(quality.own_cpu_ns >= 0)) return '–';
  return `${formatShare(quality.own_cpu_ns, duration)} of a CPU`;
}

/** @param {'handler'|'walk'} part of a sample's time */
function timesText(quality, part) {
  const times = [quality[`${part}_ns_p50`], quality[`${part}_ns_p99`]].map((time) => formatDuration(time ?? 0));
  return `median ${times[0]}, p99 ${times[1]}`;
}

function byCount(counts = {}) {
  return Object.entries(counts).sort(([wordA, a], [wordB, b]) => b - a || (wordA < wordB ? -1 : 1));
}

/** The two words with the most, and how many. */
function firstWords(counts) {
  const sorted = byCount(counts);
  const shown = sorted.slice(0, 2).map(([word, count]) => `${word} ${formatCount(count)}`);
  return shown.join(', ') + (sorted.length > shown.length ? ', …' : '');
}

function sum(counts = {}) { return Object.values(counts).reduce((total, count) => total + count, 0); }

function allocatedText({quality, duration_ns: duration}) {
  const rate = duration > 0 ? ` · ${formatBytes(quality.allocated_bytes * 1e9 / duration)}/s` : '';
  return `${formatBytes(quality.allocated_bytes)}${rate}`;
}

function pausesText({gc_pauses: pauses = 0, gc_pause_ns: time = 0}) {
  return `${formatCount(pauses)} pause${pauses === 1 ? '' : 's'} · ${formatDuration(time)}`;
}

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
  ];
  rows.push(...allocationRows(header));
  if (quality.threads_cpu_ns > 0) rows.push(['CPU time of the threads', formatDuration(quality.threads_cpu_ns)]);
  return rows;
}
