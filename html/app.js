// What is shown and how the views follow: one Place, changed by the reader's commands, from which everything on screen
// is made, in steps, so that the page answers meanwhile.

import {Answers} from './model/answers.js';
import {followNames, pathTo, readPath, writePath} from './model/call_tree.js';
import {nothingText} from './model/numbers.js';
import {carryPlace, firstPlace, isNarrowed, lensesOf, requestOf, viewIds} from './model/place.js';
import {Work} from './model/work.js';
import {Commands} from './view/commands.js';
import {showCrumbs} from './view/crumbs.js';
import {DifferenceReading} from './view/difference_reading.js';
import {byId} from './view/dom.js';
import {fillHelp} from './view/help.js';
import {bindKeys} from './view/keyboard.js';
import {Menu} from './view/menu.js';
import {Panel} from './view/panel.js';
import {PlainReading} from './view/plain_reading.js';
import {SEARCHED} from './view/rectangles.js';
import {Stage} from './view/stage.js';
import {currentTheme, followTheme} from './view/theme.js';
import {Timeline} from './view/timeline.js';
import {Toolbar} from './view/toolbar.js';
import {Tooltip} from './view/tooltip.js';

const BLINK_MILLISECONDS = 150;

/** Changes that the browser's Back undoes. */
const STEPS = ['zoom', 'view', 'lens', 'time', 'labels'];

export class App {
  /**
   * @param {import('./model/decode.js').Profile} profile
   * @param {import('./view/address.js').Address} address where places are kept
   * @param {function(): boolean} isInView  whether keys are meant for the graph
   */
  constructor(profile, address, isInView = () => true) {
    this.address = address;
    this.isInView = isInView;
    this.isDifference = Boolean(profile.header.difference);
    this.first = firstPlace(profile.header);
    // Where the reader was in the call tree and in that of callers, when the other is shown.
    this.zooms = {flame: '', callers: ''};
    // By view.
    this.sorts = {};
    this.take(profile, address.read(this.first, profile.header));
    this.work = new Work();
    this.asides = new Work();
    this.tooltip = new Tooltip();
    this.menu = new Menu();
  }

  take(profile, place) {
    this.profile = profile;
    this.place = place;
    this.answers = new Answers(profile);
    this.reading = new (this.isDifference ? DifferenceReading : PlainReading)(profile);
  }

  showHeader() { this.reading.showHeader(); }

  start() {
    const commands = new Commands(this);
    this.commands = commands;
    fillHelp(this.profile.header);
    this.toolbar = new Toolbar(commands, viewIds(this.profile.header), this.isDifference);
    this.toolbar.showLenses(this.profile.header);
    this.panel = new Panel(commands);
    this.timeline = new Timeline((time) => this.change({time}));
    this.stage = new Stage(this.tooltip, commands.ofStage(), this.isDifference);
    followTheme(() => this.repaint());
    const hasKeys = () => !byId('help').open && !this.menu.isOpen && this.isInView();
    bindKeys(commands.keys(), hasKeys);
    this.address.follow(() => this.goTo(this.address.read(this.first, this.profile.header)));
    this.palette = this.reading.makePalette(currentTheme());
    this.goTo(this.place);
  }

  /**
   * Shows another profile, as a session goes on: what is zoomed and searched stays as far as it is still there.
   * @param {import('./model/decode.js').Profile} profile @param {boolean} isOfAnother session, of which nothing stays
   */
  replace(profile, isOfAnother) {
    const {sight} = this;
    const names = sight && !isOfAnother ? pathTo(sight.tree, sight.zoom).map((node) => sight.tree.nameOf(node)) : [];
    this.first = firstPlace(profile.header);
    this.take(profile, isOfAnother ? this.first : carryPlace(this.place, this.profile.header, profile.header));
    this.toolbar.showLenses(profile.header);
    this.goTo(this.place, {names, keepsRows: !isOfAnother});
  }

  nextLens() {
    const lenses = lensesOf(this.profile.header);
    return lenses[(lenses.indexOf(this.place.lens) + 1) % lenses.length];
  }

  /** A change that the reader makes. @param {boolean} isStep  one that the browser's Back undoes */
  change(fields, isStep = STEPS.some((field) => field in fields)) {
    const next = {...this.place, ...fields};
    if (next.view !== this.place.view) {
      this.sorts[this.place.view] = this.place.sort;
      next.sort = this.sorts[next.view] ?? '';
      this.zooms[treeOf(this.place)] = this.place.zoom;
      next.zoom = fields.zoom ?? this.zooms[treeOf(next)];
    }
    this.goTo(next);
    this.address.write(this.place, this.first, isStep);
  }

  /** What the reader is with, for when another view is shown: nothing is made anew. */
  remember(method) {
    if (method === this.place.method) return;
    this.place = {...this.place, method};
    this.address.write(this.place, this.first, false);
  }

  /** Calls when what the reader has asked for is on screen; what was to be called then, and was not yet, is dropped. */
  whenShown(call) {
    if (!this.work.isBusy) return call();
    this.onShown = call;
    return undefined;
  }

  goTo(place, {names = null, keepsRows = false} = {}) {
    this.place = place;
    this.onShown = null;
    this.toolbar.showPlace(place);
    this.panel.show(place, this.profile);
    this.showBusySoon();
    // What stands beside the old picture is not worth the time any more.
    this.asides.cancel();
    this.work.start(this.prepare(place, names), (sight) => this.arrive({...sight, keepsRows}), (error) => this.fail(error));
  }

  /** What there is to see at a place. @param {?string[]} names  the zoom, where its numbers are another profile's */
  * prepare(place, names) {
    const {answers} = this;
    const isPicture = place.search === '' && place.highlights.length === 0 && this.stage.isPicture(place);
    const callTree = yield* answers.tree(requestOf(place), isPicture);
    const search = yield* answers.search(place.search);
    const highlights = [];
    for (const pattern of place.highlights) highlights.push(yield* answers.highlight(pattern));
    const data = yield* this.stage.prepare(place, answers);
    const tree = data.tree ?? callTree;
    const zoom = names ? followNames(tree, names) : readPath(tree, place.zoom);
    const {pattern = null, mask = null, matches = null} = search?.pattern.isRefused ? {} : search ?? {};
    const marks = marksOf(callTree.table.count, mask, highlights);
    return {place, callTree, tree, zoom, data, highlights, marks, search, pattern, mask, matches};
  }

  arrive(sight) {
    this.show(sight);
    this.onShown?.();
    this.onShown = null;
  }

  show(sight) {
    this.hideBusy();
    // It is about a node of the tree before.
    this.menu.close();
    this.tooltip.hide();
    const {reading, palette} = this;
    const {callTree, tree, zoom, place} = sight;
    this.sight = {...sight, reading, palette};
    reading.take(callTree);
    const isEmpty = callTree.totals[callTree.root] === 0;
    document.body.dataset.state = isEmpty ? 'empty' : 'ready';
    if (isEmpty) byId('message').textContent = this.emptyText(place);
    byId('show-all').hidden = !isEmpty || !isNarrowed(place);
    // Before the picture, which takes the height that they leave.
    const path = [tree.root, ...pathTo(tree, zoom)].map((node) => ({node, name: node === tree.root ? 'all' : tree.nameOf(node)}));
    const hasCrumbs = place.view === 'flame' || place.view === 'callers';
    showCrumbs(hasCrumbs ? path : [], reading.shareText(tree, zoom), (node) => this.zoomTo(node));
    this.stage.show(this.sight);
    // The method that was shown for want of another stays when the value changes.
    if (place.view === 'sandwich' || place.view === 'lines') this.remember(sight.data.method);
    this.toolbar.showResult(this.searchResult());
    const shares = sight.highlights.map(({matches}) => reading.searchResult(matches).share);
    // What takes too long is known now.
    this.panel.show(place, this.profile);
    this.panel.highlights.show(place.highlights, shares, palette.highlights);
    this.asides.startLater(this.prepareAsides(place), (asides) => this.showAsides(asides), (error) => this.fail(error));
  }

  /** What stands beside the picture, and may come after it. */
  * prepareAsides(place) {
    const {answers, profile, reading} = this;
    const request = requestOf(place);
    const legend = yield* answers.once('legend', () => reading.legend());
    const time = profile.header.time ? yield* answers.time(request) : null;
    return {place, legend, time, labels: place.panel ? yield* answers.labels(request) : null};
  }

  showAsides({place, legend, time, labels}) {
    const {reading, palette} = this;
    reading.showLegend(palette, legend);
    this.timeline.show(time && {...time, range: place.time, valueType: reading.valueType, palette});
    if (labels) this.panel.filters.show(labels, place.labels, reading.valueType);
  }

  emptyText(place) {
    if (isNarrowed(place)) return 'Filters and transforms leave no stack.';
    const others = this.profile.rowNodes.length > 0 && lensesOf(this.profile.header).length > 1 ? ' The other values are a click away, above.' : '';
    return nothingText(this.reading.valueType) + others;
  }

  searchResult() {
    const {search} = this.sight;
    if (!search) return null;
    const {pattern: {problem, isRefused}, matches} = search;
    return {problem, isRefused, nodes: matches.nodes, places: matches.places, ...this.reading.searchResult(matches)};
  }

  repaint() {
    this.palette = this.reading.makePalette(currentTheme());
    if (this.sight) this.show(this.sight);
  }

  zoomTo(node) {
    // Of a picture that another view is about to replace.
    if (this.sight.place.view !== this.place.view) return;
    const zoom = writePath(this.sight.tree, node);
    const {root} = this.sight.tree;
    if (zoom !== this.place.zoom) this.change({zoom, ...(node !== root && {method: this.sight.tree.nameOf(node)})});
  }

  fail(error) {
    this.hideBusy();
    throw error;
  }

  /** The old picture stays; when it does so for longer than a blink, a sign says why. */
  showBusySoon() {
    this.blink ??= setTimeout(() => {
      byId('busy').hidden = false;
      byId('stage').setAttribute('aria-busy', 'true');
    }, BLINK_MILLISECONDS);
  }

  hideBusy() {
    clearTimeout(this.blink);
    this.blink = undefined;
    byId('busy').hidden = true;
    byId('stage').removeAttribute('aria-busy');
  }
}

function treeOf({view}) { return view === 'callers' ? 'callers' : 'flame'; }

/** @return {?Uint8Array} frame -> its mark (see rectangles.js); what is searched for goes before highlights */
function marksOf(count, searched, highlights) {
  if (!searched && highlights.length === 0) return null;
  const marks = new Uint8Array(count);
  highlights.forEach(({mask}, i) => mask.forEach((isHit, frame) => {
    if (isHit && marks[frame] === 0) marks[frame] = i + 1;
  }));
  searched?.forEach((isHit, frame) => {
    if (isHit) marks[frame] = SEARCHED;
  });
  return marks;
}
