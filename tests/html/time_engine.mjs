// node time_engine.mjs PAGE.html [TIMES] prints how many milliseconds each thing that a reader may ask for takes on a page's profile:
// in all, of a processor (more exact where others use the machine), and the longest slice.

import './inflate_for_old_node.mjs';

import {readFileSync} from 'node:fs';

import {CallerTree} from '../../html/model/trees/caller_tree.js';
import {decodePage} from '../../html/model/data/decode.js';
import {Engine} from '../../html/model/trees/engine.js';
import {Layout} from '../../html/model/trees/layout.js';
import {exactly} from '../../html/model/transforms/pattern.js';
import {sandwich} from '../../html/model/trees/sandwich.js';
import {matchFrames, StackMatches} from '../../html/model/search.js';
import {lineTable, packageTable, topTable} from '../../html/model/trees/tables.js';
import {dataOf} from '../../html/console/model/live_profile.js';

const [path, times = '3'] = process.argv.slice(2);
if (!path) throw new Error('usage: node time_engine.mjs PAGE.html [TIMES]');

/** Of all threads, in milliseconds. */
function processorTime() {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs steps to their end. @return {{result: *, whole: number, used: number, longest: number}} in milliseconds */
function measure(steps) {
  const began = performance.now();
  const usedBefore = processorTime();
  let longest = 0;
  for (;;) {
    const before = performance.now();
    const {done, value} = steps.next();
    longest = Math.max(longest, performance.now() - before);
    if (done) return {result: value, whole: performance.now() - began, used: processorTime() - usedBefore, longest};
  }
}

function* atOnce(work) { return work(); }

/** Prints the median of several times. */
function tell(what, makeSteps) {
  const runs = Array.from({length: Number(times)}, () => measure(makeSteps()));
  runs.sort((a, b) => a.whole - b.whole);
  const {result, whole, used, longest} = runs[runs.length >> 1];
  const [all, processor, slice] = [whole, used, longest].map((time) => time.toFixed(0).padStart(6));
  console.log(`${what.padEnd(32)} ${all} ms ${processor} ms of a processor ${slice} ms the longest slice`);
  return result;
}

const began = performance.now();
const usedBefore = processorTime();
const profile = await decodePage(dataOf(readFileSync(path, 'latin1')));
const decoded = performance.now();
const usedDecoded = processorTime();
const engine = new Engine(profile);
const lens = profile.header.lens ?? 0;
const first = measure(engine.derive({lens})).result;
const layout = new Layout();
layout.arrange(first, {from: 0, to: first.totals[0], width: 1600, byWidth: false});
const stacks = profile.rowNodes.length;
console.log(`${first.parents.length} nodes, ${stacks} rows, ${profile.names.length} names, ${first.table.count} frames`);
console.log(`read ${(decoded - began).toFixed(0)} ms (processor ${(usedDecoded - usedBefore).toFixed(0)}), first tree and layout ${
    (performance.now() - decoded).toFixed(0)} ms (processor ${(processorTime() - usedDecoded).toFixed(0)})`);

/** A name in the middle of the most used ones: neither rare nor everywhere. */
const name = first.table.nameOf(Math.min(200, first.table.known - 1));
const derive = (request) => () => engine.derive({lens, ...request});
const transform = (...transforms) => () => {
  // Nothing known of the transforms before.
  engine.bases.forEach((base) => base.done = []);
  return engine.derive({lens, transforms});
};

tell('another lens', derive({lens: profile.header.values.length - 1}));
tell('a range of time', derive({filters: {time: {from_ns: 10e9, to_ns: 30e9}}}));
const thread = profile.labelSets[1]?.[0];
if (thread) tell('a label', derive({filters: {labels: {[profile.labels[thread.label].key]: [thread.value]}}}));
tell('filter', transform({type: 'filter', what: name}));
tell('remove', transform({type: 'remove', what: exactly(name)}));
tell('replace in names', transform({type: 'replace', what: '/(\\w)\\d+/', replacement: '$1'}));
tell('replace one name', transform({type: 'replace', what: name, replacement: 'zzz'}));
tell('replace across frames', transform({type: 'replace', what: `/(${name.slice(0, -8)}[^;]*;)[^;]*;/`, replacement: '$1'}));
tell('filter across frames', transform({type: 'filter', what: `/${name.slice(0, -8)}.*;${name.slice(0, 5)}/`}));
tell('hide one frame', transform({type: 'hide', what: name}));
tell('hide a fifth of the frames', transform({type: 'hide', what: '/[0-4]2?$|1\\./'}));
tell('fold', transform({type: 'fold', what: name}));
tell('collapse recursion', transform({type: 'collapse-recursion'}));
tell('collapse recursion with gaps', transform({type: 'collapse-recursion', gaps: true}));
tell('merge similar', transform({type: 'merge-similar'}));
tell('keep below', transform({type: 'keep-below', what: name}));
tell('keep above', transform({type: 'keep-above', what: name}));
if (thread) {
  const group = {type: 'group', what: profile.labels[thread.label].key};
  tell('group by label, as far as seen', () => engine.picture({lens, transforms: [group]}));
  tell('group by label', transform(group));
}
tell('parted by lines', derive({parted: {lines: true}}));
const lines = measure(engine.derive({lens, parted: {lines: true}})).result;
tell('table of methods', () => topTable(first));
tell('table of packages', () => packageTable(first));
tell('table of lines', () => lineTable(lines, name));
tell('sandwich', () => sandwich(first, name));
const callers = tell('turned over', () => CallerTree.of(first));
tell('layout, turned over', () => atOnce(() => new Layout().arrange(
    callers, {from: 0, to: callers.totals[0], width: 1600, byWidth: false})));
tell('layout', () => atOnce(() => new Layout().arrange(first, {from: 0, to: first.totals[0], width: 1600, byWidth: false})));
const matches = tell('search', () => StackMatches.of(first, matchFrames(first.table, new RegExp(name))));
tell('previous match', () => atOnce(() => matches.next(0, -1)));
tell('parts of a node', () => atOnce(() => first.partsOf(1)));
tell('timeline', () => engine.timeline({lens}));
tell('labels', () => engine.labelTable({lens}));
const {heapUsed, arrayBuffers} = process.memoryUsage();
console.log(`heap ${Math.round(heapUsed / 2 ** 20)} MB, arrays ${Math.round(arrayBuffers / 2 ** 20)} MB`);
