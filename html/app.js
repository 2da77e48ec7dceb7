// The application: one ViewState, changed by the reader's commands. Everything on screen is derived from it, in slices, so that the
// page stays responsive.

import {QueryCache} from './model/trees/query_cache.js';
import {keysByUse} from './model/trees/grouping.js';
import {followNames, pathTo, readPath, writePath} from './model/trees/call_tree.js';
import {nothingText} from './model/text/numbers.js';
import {carryViewState, firstViewState, groupOf, isNarrowed, lensesOf, requestOf, viewIds} from './model/view_state.js';
import {Work} from './model/work.js';
import {Commands} from './view/commands.js';
import {showCrumbs} from './view/graph/crumbs.js';
import {DifferencePresenter} from './view/presenters/difference_presenter.js';
import {byId} from './view/dom.js';
import {fillHelp} from './view/help.js';
import {bindKeys} from './view/keyboard.js';
import {Menu} from './view/menu.js';
import {Panel} from './view/panel/panel.js';
import {PlainPresenter} from './view/presenters/plain_presenter.js';
import {SEARCHED} from './view/graph/rectangles.js';
import {Stage} from './view/stage.js';
import {currentTheme, followTheme} from './view/theme.js';
import {Timeline} from './view/timeline.js';
import {Toolbar} from './view/toolbar.js';
import {Tooltip} from './view/graph/tooltip.js';

const BLINK_MILLISECONDS = 150;

/** Changes that the browser's Back undoes. */
const STEPS = ['zoom', 'view', 'lens', 'time', 'labels', 'ends', 'idle'];

export class App {
  /**
   * @param {import('./model/data/decode.js').Profile} profile
   * @param {import('./view/address.js').Address} address stores view states
   * @param {function(): boolean} isInView  whether the graph receives keys
   */
  constructor(profile, address, isInView = () => true) {
    this.address = address;
    this.isInView = isInView;
    this.isDifference = Boolean(profile.header.difference);
    this.first = firstViewState(profile.header);
    // Zoom of the call tree and of the caller tree, kept while the other one is shown.
    this.zooms = {flame: '', callers: ''};
    // View -> sort order.
    this.sorts = {};
    this.take(profile, address.read(this.first, profile.header));
    this.work = new Work();
    this.asides = new Work();
    this.tooltip = new Tooltip();
    this.menu = new Menu();
  }

  take(profile, viewState) {
    this.profile = profile;
    this.viewState = viewState;
    this.queries = new QueryCache(profile);
    this.presenter = new (this.isDifference ? DifferencePresenter : PlainPresenter)(profile);
  }

  /** Shows the header of a page. The console has its own header. */
  showHeader() {
    this.hasHeader = true;
    this.presenter.showHeader();
  }

  showAccount(lens) {
    if (!this.hasHeader || lens === this.accountLens) return;
    this.accountLens = lens;
    this.presenter.showAccount(lens);
  }

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
    this.palette = this.presenter.makePalette(currentTheme());
    this.goTo(this.viewState);
  }

  /**
   * Shows another profile while a session continues. Zoom and search are kept as far as their frames still exist.
   * @param {import('./model/data/decode.js').Profile} profile @param {boolean} isOfAnother  true if it is of another session: then the view state is reset
   */
  replace(profile, isOfAnother) {
    const {scene} = this;
    const names = scene && !isOfAnother ? pathTo(scene.tree, scene.zoom).map((node) => scene.tree.nameOf(node)) : [];
    this.first = firstViewState(profile.header);
    this.take(profile, isOfAnother ? this.first : carryViewState(this.viewState, this.profile.header, profile.header));
    this.toolbar.showLenses(profile.header);
    this.goTo(this.viewState, {names, keepsRows: !isOfAnother});
  }

  nextLens() {
    const lenses = lensesOf(this.profile.header);
    return lenses[(lenses.indexOf(this.viewState.lens) + 1) % lenses.length];
  }

  /** Applies a change by the reader. @param {boolean} isStep  whether the browser's Back undoes it */
  change(fields, isStep = STEPS.some((field) => field in fields)) {
    const next = {...this.viewState, ...fields};
    if (next.view !== this.viewState.view) {
      this.sorts[this.viewState.view] = this.viewState.sort;
      next.sort = this.sorts[next.view] ?? '';
      this.zooms[treeOf(this.viewState)] = this.viewState.zoom;
      next.zoom = fields.zoom ?? this.zooms[treeOf(next)];
    }
    this.goTo(next);
    this.address.write(this.viewState, this.first, isStep);
  }

  /** Stores the method that the reader works on, for other views. Redraws nothing. */
  remember(method) {
    if (method === this.viewState.method) return;
    this.viewState = {...this.viewState, method};
    this.address.write(this.viewState, this.first, false);
  }

  /** Calls `call` once the requested view is on screen. Drops an earlier call that is still waiting. */
  whenShown(call) {
    if (!this.work.isBusy) return call();
    this.onShown = call;
    return undefined;
  }

  goTo(viewState, {names = null, keepsRows = false} = {}) {
    this.viewState = viewState;
    this.onShown = null;
    this.toolbar.showViewState(viewState);
    this.toolbar.showGroups(keysByUse(this.profile), groupOf(viewState));
    this.panel.show(viewState, this.profile);
    this.showBusySoon();
    // The legend and the panel of the old picture are no longer needed.
    this.asides.cancel();
    this.work.start(this.prepare(viewState, names), (scene) => this.arrive({...scene, keepsRows}), (error) => this.fail(error));
  }

  /** Computes the scene of a view state. @param {?string[]} names  names on the path of the zoom, if its frame numbers are of another profile */
  * prepare(viewState, names) {
    const {queries} = this;
    const isPicture = viewState.search === '' && viewState.highlights.length === 0 && this.stage.isPicture(viewState);
    const callTree = yield* queries.tree(requestOf(viewState), isPicture);
    const search = yield* queries.search(viewState.search);
    const highlights = [];
    for (const pattern of viewState.highlights) highlights.push(yield* queries.highlight(pattern));
    const data = yield* this.stage.prepare(viewState, queries);
    const tree = data.tree ?? callTree;
    const zoom = names ? followNames(tree, names) : readPath(tree, viewState.zoom);
    const {pattern = null, mask = null, matches = null} = search?.pattern.isRefused ? {} : search ?? {};
    const marks = marksOf(callTree.table.count, mask, highlights);
    return {viewState, callTree, tree, zoom, data, highlights, marks, search, pattern, mask, matches};
  }

  arrive(scene) {
    this.show(scene);
    this.onShown?.();
    this.onShown = null;
  }

  show(scene) {
    this.hideBusy();
    // The menu refers to a node of the old tree.
    this.menu.close();
    this.tooltip.hide();
    const {presenter, palette} = this;
    const {callTree, tree, zoom, viewState} = scene;
    const isNewSearch = viewState.search !== (this.scene?.viewState.search ?? '');
    this.scene = {...scene, presenter, palette};
    presenter.take(callTree, viewState.tiers);
    const isEmpty = callTree.totals[callTree.root] === 0;
    document.body.dataset.state = isEmpty ? 'empty' : 'ready';
    if (isEmpty) byId('message').textContent = this.emptyText(viewState);
    byId('show-all').hidden = !isEmpty || !isNarrowed(viewState);
    // Before the picture, which takes the remaining height.
    this.showAccount(viewState.lens);
    const path = [tree.root, ...pathTo(tree, zoom)].map((node) => ({node, name: node === tree.root ? 'all' : tree.nameOf(node)}));
    const hasCrumbs = viewState.view === 'flame' || viewState.view === 'callers';
    const trunk = {names: (scene.data.trunk ?? []).map((node) => tree.nameOf(node)), isOpen: viewState.trunk, toggle: () => this.commands.trunk()};
    showCrumbs(hasCrumbs ? path : [], trunk, presenter.shareText(tree, zoom), (node) => this.zoomTo(node));
    this.stage.show(this.scene);
    if (isNewSearch) this.stage.revealMatch();
    // The method chosen by default stays when the value changes.
    if (viewState.view === 'sandwich' || viewState.view === 'lines') this.remember(scene.data.method);
    this.toolbar.showResult(this.searchResult());
    const shares = scene.highlights.map(({matches}) => presenter.searchResult(matches).share);
    // Patterns that are too slow are known now.
    this.panel.show(viewState, this.profile);
    this.panel.highlights.show(viewState.highlights, shares, palette.highlights);
    this.asides.startLater(this.prepareAsides(viewState), (asides) => this.showAsides(asides), (error) => this.fail(error));
  }

  /** Computes legend, time strip and panel, which may appear after the picture. */
  * prepareAsides(viewState) {
    const {queries, profile} = this;
    const request = requestOf(viewState);
    const legend = yield* queries.once('legend', () => this.legendOf(request));
    const time = profile.header.time ? yield* queries.time(request) : null;
    const idle = viewState.idle === undefined ? 0 : yield* queries.idleShare(viewState.lens);
    return {viewState, legend, time, idle, labels: viewState.panel ? yield* queries.labels(request) : null};
  }

  /** Computes the data of the legend, without its own filter, so that the other entries keep their shares. */
  * legendOf(request) {
    const {queries, presenter} = this;
    const {ends = []} = request.filters;
    const tree = ends.length > 0 ? yield* queries.engine.derive({...request, filters: {...request.filters, ends: []}}) : queries.callTree;
    return yield* presenter.legend(tree);
  }

  showAsides({viewState, legend, time, idle, labels}) {
    const {presenter, palette} = this;
    presenter.showLegend(palette, legend, this.commands.ofLegend(viewState));
    this.timeline.show(time && {...time, range: viewState.time, valueType: presenter.valueType, palette});
    this.toolbar.showIdle(viewState.idle === false, idle);
    if (labels) this.panel.filters.show(labels, viewState, presenter.valueType);
  }

  emptyText(viewState) {
    if (isNarrowed(viewState)) return 'No stacks match the filters and transforms.';
    const others = this.profile.rowNodes.length > 0 && lensesOf(this.profile.header).length > 1 ? ' Choose another value above.' : '';
    return nothingText(this.presenter.valueType) + others;
  }

  searchResult() {
    const {search} = this.scene;
    if (!search) return null;
    const {pattern: {problem, isRefused}, matches} = search;
    return {problem, isRefused, nodes: matches.nodes, places: matches.places, ...this.presenter.searchResult(matches)};
  }

  repaint() {
    this.palette = this.presenter.makePalette(currentTheme());
    if (this.scene) this.show(this.scene);
  }

  zoomTo(node) {
    // Ignore clicks on a picture that another view is about to replace.
    if (this.scene.viewState.view !== this.viewState.view) return;
    const zoom = writePath(this.scene.tree, node);
    const {root} = this.scene.tree;
    if (zoom !== this.viewState.zoom) this.change({zoom, ...(node !== root && {method: this.scene.tree.nameOf(node)})});
  }

  fail(error) {
    this.hideBusy();
    throw error;
  }

  /** Keeps the old picture, and shows a busy indicator if computing takes longer than BLINK_MILLISECONDS. */
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

/** @return {?Uint8Array} frame -> its mark (see rectangles.js); a search match takes precedence over highlights */
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
