// Results of the views' queries, cached while their tree is shown. Each query is a generator that works in slices.

import {CallerTree} from './caller_tree.js';
import {Engine} from './engine.js';
import {sandwich} from './sandwich.js';
import {compileHighlight, compilePattern, matchFrames, outermostNodes, StackMatches, TOO_SLOW} from '../search.js';
import {inSlices} from '../slices.js';
import {lineTable, packageTable, topTable} from './tables.js';
import {isQuick} from '../transforms/regex_guard.js';
import {UnfoldingTree} from './unfolding_tree.js';
import {finish} from '../work.js';

const MOST_SUMS = 12;

export class QueryCache {
  /** @param {import('../data/decode.js').Profile} profile */
  constructor(profile) {
    this.engine = new Engine(profile);
    this.known = new Map();
    this.rowSums = new Map();
  }

  /**
   * @param {Object} request of requestOf()
   * @param {boolean} isPicture  whether a tree for a picture is enough; it supports no other queries
   * @return {Generator} the call tree; the same tree for the same request
   */
  * tree(request, isPicture = false) {
    const key = JSON.stringify(request);
    const isEnough = isPicture || !(this.callTree instanceof UnfoldingTree);
    if (key !== this.key || !isEnough) {
      const callTree = yield* isPicture ? this.engine.picture(request) : this.engine.derive(request);
      Object.assign(this, {key, request, callTree, known: new Map()});
    }
    return this.callTree;
  }

  /** Runs a query once per tree. */
  * once(question, ask) {
    const {known} = this;
    if (!known.has(question)) {
      yield;
      known.set(question, yield* ask());
    }
    return known.get(question);
  }

  callers() { return this.once('callers', () => CallerTree.of(this.callTree)); }

  sandwich(method) { return this.once(`sandwich ${method}`, () => sandwich(this.callTree, method)); }

  top() { return this.once('top', () => topTable(this.callTree)); }

  packages() { return this.once('packages', () => packageTable(this.callTree)); }

  /** @return {Generator} the rows of a method's lines */
  * lines(method) {
    const tree = yield* this.once('lines', () => this.engine.derive({...this.request, parted: {lines: true}}));
    return yield* this.once(`lines ${method}`, () => lineTable(tree, method));
  }

  /** @return {Generator} {pattern, mask, matches, outermost()}; null when the text is '' */
  * search(text) {
    // Only the last search is cached: each takes many megabytes for a large tree.
    if (this.searched?.tree !== this.callTree || this.searched.text !== text) {
      yield;
      this.searched = {tree: this.callTree, text, found: yield* find(this.callTree, compilePattern(text))};
    }
    return this.searched.found;
  }

  /** @return {Generator} {mask, matches} of a highlight */
  highlight(text) {
    const {callTree} = this;
    return this.once(`highlight ${text}`, function* () {
      const {mask, matches} = yield* find(callTree, compileHighlight(text));
      const share = matches.share();
      // Keep the sums only, not the data per node.
      return {mask, matches: {value: matches.value, values: matches.values, share: () => share}};
    });
  }

  /** @return {Generator} {all, kept, stepNs, durationNs}: values over time, in total and after labels and transforms */
  * time(request) {
    const untimed = {...request, filters: {...request.filters, time: null}};
    const kept = yield* this.sums('timeline', untimed);
    const all = yield* this.sums('timeline', {...untimed, filters: {labels: {}, time: null}, transforms: []});
    return kept && all && {all: all.totals, kept: kept.totals, stepNs: all.step_ns, durationNs: this.engine.profile.header.duration_ns};
  }

  /** @return {Generator} the share of a value that threads have that wait for work, and threads of the JVM */
  * idleShare(lens) { return (yield* this.engine.busyRows(lens)).hidden; }

  labels(request) { return this.sums('labelTable', request); }

  /** Caches sums by rows of the engine. They are independent of the tree. */
  * sums(what, request) {
    const key = JSON.stringify([what, request]);
    if (!this.rowSums.has(key)) {
      const sums = yield* this.engine[what](request);
      if (this.rowSums.size >= MOST_SUMS) this.rowSums.delete(this.rowSums.keys().next().value);
      this.rowSums.set(key, sums);
    }
    return this.rowSums.get(key);
  }

  /** @return {Generator} name of the method with the largest self value; '': none */
  * hottest() {
    const methods = yield* this.top();
    const selfOf = ({self}) => self.after ?? self;
    let most = null;
    for (const method of methods) {
      if (!most || selfOf(method) > selfOf(most)) most = method;
    }
    return most?.name ?? '';
  }

  /** @return {Generator} the widest node of this name; -1: none */
  widest(name) {
    const {callTree} = this;
    return this.once(`widest ${name}`, function* () {
      const {table, frames, totals} = callTree;
      const isIt = Uint8Array.from({length: table.count}, (_, frame) => table.nameOf(frame) === name ? 1 : 0);
      let widest = -1;
      let most = 0;
      yield* inSlices(frames.length, (from, to) => {
        for (let node = Math.max(from, 1); node < to; node++) {
          if (!isIt[frames[node]] || totals[node] <= most) continue;
          widest = node;
          most = totals[node];
        }
      });
      return widest;
    });
  }
}

function* find(callTree, wanted) {
  if (!wanted) return null;
  const {names} = callTree.table;
  const pattern = (yield* isQuick(wanted.regex, names, () => names)) ? wanted : TOO_SLOW;
  const mask = matchFrames(callTree.table, pattern.regex);
  let nodes;
  const outermost = () => nodes ??= finish(outermostNodes(callTree, mask));
  return {pattern, mask, matches: yield* StackMatches.of(callTree, mask), outermost};
}
