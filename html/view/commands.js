// The reader's commands, by key, button, menu or click. Each changes the view state.

import {formatValue} from '../model/text/numbers.js';
import {titleOf} from '../model/text/titles.js';
import {isGroupedBy, MOST_HIGHLIGHTS, withoutRepeatedGroups} from '../model/view_state.js';
import {escapePattern} from '../model/search.js';

import {byId} from './dom.js';
import {entriesOf} from './frame_menu.js';
import {stackOf} from './graph/graph_view.js';
import {copyText} from './menu.js';
import {savingsOf} from './graph/save_picture.js';
import {profileSavingsOf} from './save_profile.js';
import {linkTemplate} from './panel/source_links.js';
import {notify} from './status.js';
import {toggleTheme} from './theme.js';

export class Commands {
  /** @param {import('../app.js').App} app */
  constructor(app) { this.app = app; }

  get viewState() { return this.app.viewState; }

  get scene() { return this.app.scene; }

  // View and filters

  search(text) { this.app.change({search: text}); }

  lens(lens) { this.app.change({lens}); }

  scale(scale) { this.app.change({scale}); }

  width(width) { this.app.change({width}); }

  view(view) { this.app.change({view}); }

  callers() { this.view(this.viewState.view === 'callers' ? 'flame' : 'callers'); }

  icicle() { this.app.change({icicle: !this.viewState.icicle}); }

  /** Shows or hides the frames that all stacks share. */
  trunk() { this.app.change({trunk: !this.viewState.trunk}); }

  byWidth() { this.app.change({byWidth: !this.viewState.byWidth}); }

  panel() {
    this.app.change({panel: !this.viewState.panel});
    if (this.viewState.panel) this.app.panel.focus();
  }

  setLabel(key, values) {
    const {[key]: _, ...others} = this.viewState.labels;
    this.app.change({labels: values.length > 0 ? {...others, [key]: values} : others});
  }

  /** The legend's filter, and its commands. */
  ofLegend({ends}) {
    return {ends, filterEnds: (chosen) => this.app.change({ends: chosen}), tiers: () => this.app.change({tiers: !this.viewState.tiers})};
  }

  part(flag, isApart) { this.app.change({[flag]: isApart}); }

  /** Groups stacks by a label, or ungroups them. */
  group(key) {
    const isOther = ({type, what}) => type !== 'group' || what !== key;
    const others = this.viewState.transforms.filter(isOther);
    if (isGroupedBy(this.viewState, key)) return this.setTransforms(others);
    return this.setTransforms([...others, {type: 'group', what: key, enabled: true}]);
  }

  /** Groups stacks by this label only; '': by none. */
  groupBy(key) {
    const others = this.viewState.transforms.filter(({type}) => type !== 'group');
    this.setTransforms(key === '' ? others : [...others, {type: 'group', what: key, enabled: true}]);
  }

  /** Shows or hides the wall-clock time of threads that wait for work, and of threads of the JVM. */
  idle() { this.app.change({idle: !this.viewState.idle}, true); }

  transform(transform) {
    this.setTransforms([...this.viewState.transforms, transform]);
    notify('Transform added');
  }

  setTransforms(transforms, isTyping = false) { this.app.change({transforms: withoutRepeatedGroups(transforms)}, !isTyping); }

  /** Moves the focus to the current view. */
  toStage() { this.app.stage.focus(); }

  setHighlights(highlights) { this.app.change({highlights}); }

  highlight(pattern) {
    const others = this.viewState.highlights.filter((other) => other !== pattern);
    const isNew = others.length === this.viewState.highlights.length;
    this.setHighlights(isNew ? [...others, pattern].slice(-MOST_HIGHLIGHTS) : others);
  }

  /** Clears filters and disables transforms. */
  showAll() {
    const transforms = this.viewState.transforms.map((one) => ({...one, enabled: false}));
    this.app.change({labels: {}, ends: [], time: null, transforms, ...('idle' in this.viewState && {idle: true})}, true);
  }

  showMethod(view, method) { this.app.change({view, method}); }

  // Frames

  /** @param {number} node of the tree @param {boolean} isZoomable  whether the view can zoom */
  menuOfNode(node, point, tree, isZoomable) {
    if (node === tree.root) return;
    this.openMenu(tree.nameOf(node), point, {
      zoom: isZoomable ? () => this.app.zoomTo(node) : null,
      stack: () => this.copy(stackOf(tree, node).join(';'), 'Stack'),
      line: this.lineOf(tree, node),
    });
  }

  menuOfName(name, point) { this.openMenu(name, point, {zoom: null, stack: null, line: 0}); }

  openMenu(name, point, where) {
    const all = {...where, viewState: this.viewState, views: this.app.toolbar.views, template: linkTemplate()};
    this.app.menu.open(entriesOf(name, all, this), point);
  }

  /** Returns the line of a node with the largest value. */
  lineOf(tree, node) {
    if (tree !== this.scene.callTree) return 0;
    const known = tree.partsOf(node).lines.filter(({line}) => line > 0);
    return known.reduce((most, part) => part.total > most.total ? part : most, {line: 0, total: -1}).line;
  }

  async copy(text, what) {
    const copied = await copyText(text);
    notify(copied ? `${what} copied` : 'Cannot copy: the browser denies access to the clipboard');
  }

  open(link) { window.open(link, '_blank', 'noopener'); }

  askForLink() {
    if (!this.viewState.panel) this.panel();
    this.app.panel.sources.focus();
  }

  pick(target, event, graph) {
    if (graph !== this.app.stage.flame) return this.centre(target, graph);
    if (target.merged > 0 && target.node === this.scene.zoom) {
      return notify('These frames are too narrow to draw. Sort by width, or search for a frame.');
    }
    return this.app.zoomTo(target.node);
  }

  /** Puts the clicked frame of the sandwich into the middle. */
  centre({node, merged}, graph) {
    const {tree} = graph.scene;
    if (merged === 0 && node !== tree.root && tree.nameOf(node) !== this.scene.data.method) {
      this.app.change({method: tree.nameOf(node)}, true);
    }
  }

  pickPackage(name) {
    if (name.startsWith('[')) return;
    this.app.change({view: 'top', search: `^${escapePattern(name).replaceAll('\\.', '[./]')}[./]`}, true);
  }

  /** Listeners for the views of the stage. */
  ofStage() {
    const {app} = this;
    return {
      graph: {
        pick: (target, event, graph) => this.pick(target, event, graph),
        menu: (node, point, graph) => this.menuOfNode(node, point, graph.scene.tree, graph === app.stage.flame),
        select: (node, graph) => node !== graph.scene.tree.root && graph === app.stage.flame && app.remember(graph.nameOf(node)),
        isBlocked: () => app.menu.isOpen,
      },
      tree: {
        menu: (node, point) => this.menuOfNode(node, point, app.scene.tree, false),
        select: (node) => node !== app.scene.tree.root && app.remember(app.scene.tree.nameOf(node)),
      },
      method: (name) => app.remember(name),
      menuOfName: (name, point) => this.menuOfName(name, point),
      pickMethod: (method) => app.change({view: 'sandwich', method}),
      pickPackage: (name) => this.pickPackage(name),
      sort: (sort) => app.change({sort}),
      copy: (text, what) => this.copy(text, what),
    };
  }

  // Keys

  keys() {
    const {app} = this;
    const move = (direction) => () => app.stage.graph?.move(direction);
    const vertical = (up) => () => move(up === this.isDown() ? 'out' : 'in')();
    const ofSelected = (act) => () => {
      const name = this.selectedName();
      if (name === '') return notify('Select a frame first (arrow keys)');
      return act(name);
    };
    const views = Object.fromEntries(app.toolbar.views.map((view, i) => [String(i + 1), () => this.view(view)]));
    return {
      ...views,
      'Search': () => app.toolbar.focusSearch(),
      '/': () => app.toolbar.focusSearch(),
      'Escape': () => this.escape(),
      '0': () => this.viewState.zoom !== '' && app.change({zoom: ''}),
      'Enter': () => this.enter(),
      'ArrowUp': vertical(true),
      'ArrowDown': vertical(false),
      'ArrowLeft': move('left'),
      'ArrowRight': move('right'),
      'Menu': () => app.stage.graph?.openMenuOfSelected(),
      'n': () => this.nextMatch(1),
      'N': () => this.nextMatch(-1),
      'c': () => this.callers(),
      'i': () => this.icicle(),
      's': () => this.byWidth(),
      'd': () => this.theme(),
      'v': () => this.lens(app.nextLens()),
      'p': () => this.panel(),
      't': () => app.timeline.focus(),
      'w': ofSelected((name) => this.showMethod('sandwich', name)),
      'l': ofSelected((name) => app.toolbar.views.includes('lines') && this.showMethod('lines', name)),
      'h': ofSelected((name) => this.highlight(`^${escapePattern(name)}$`)),
      '?': () => this.help(),
    };
  }

  /** Whether the root of the focused graph is at the top. */
  isDown() { return this.app.stage.graph?.graph.scene?.icicle ?? true; }

  selectedName() {
    const {stage, viewState} = this.app;
    const graph = stage.graph;
    if (graph && graph.selected > 0) return graph.nameOf(graph.selected);
    return viewState.method;
  }

  enter() {
    const graph = this.app.stage.graph;
    if (!graph || graph.selected < 0) return;
    const target = graph.graph.select(graph.selected);
    if (target) this.pick(target, new PointerEvent('click'), graph);
  }

  /** Selects the next match, wrapping around. */
  nextMatch(step) { this.app.whenShown(() => this.goToNextMatch(step)); }

  goToNextMatch(step) {
    const {app, scene, viewState} = this;
    if (!scene?.matches || scene.matches.nodes === 0) return undefined;
    const isOfCallTree = viewState.view === 'flame' || viewState.view === 'tree';
    if (!isOfCallTree) return app.stage.graph && this.nextInView(step);
    const found = scene.search.outermost();
    const selected = viewState.view === 'tree' ? app.stage.tree.selected : app.stage.flame.selected;
    const from = Math.max(selected, scene.zoom);
    const after = found.findIndex((node) => step > 0 ? node > from : node >= from);
    const at = step > 0 ? Math.max(after, 0) : (after < 0 ? found.length : after) - 1;
    this.goToMatch(found[(at + found.length) % found.length]);
    return app.toolbar.showPosition((at + found.length) % found.length + 1, found.length);
  }

  /** Selects the next drawn match, wrapping around. */
  nextInView(step) {
    const {graph} = this.app.stage;
    const found = graph.graph.outermostMatches();
    if (found.length === 0) return notify('The matches are too narrow to draw. Zoom in where the match colour shows.');
    const at = found.indexOf(graph.selected);
    graph.select(found[at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length]);
    return this.app.toolbar.showPosition(found.indexOf(graph.selected) + 1, found.length);
  }

  goToMatch(node) {
    const {app} = this;
    if (this.viewState.view === 'tree') return app.stage.tree.select(node);
    const {flame} = app.stage;
    // Try the current zoom, then the root, then zoom in on the match.
    const ways = [() => {}, () => app.change({zoom: ''}), () => app.zoomTo(node)];
    for (const way of ways) {
      way();
      flame.select(node);
      if (flame.selected === node) return undefined;
    }
    return undefined;
  }

  /** Closes or clears the innermost open thing. */
  escape() {
    const {app, viewState} = this;
    if (byId('help').open) return byId('help').close();
    const popover = document.querySelector('details.popover[open]');
    if (popover) return popover.removeAttribute('open');
    if (app.menu.isOpen) return app.menu.close();
    if (app.toolbar.leaveSearch()) return undefined;
    if (app.panel.element.contains(document.activeElement)) return this.panel();
    if (viewState.zoom !== '') return app.change({zoom: ''});
    const graph = app.stage.graph;
    if (graph && graph.selected >= 0) {
      graph.mark(-1);
      app.remember('');
      app.tooltip.hide();
      // With a search, the frame is one of its matches: clear both.
      if (viewState.search === '') return undefined;
    }
    return this.search('');
  }

  // The page

  theme() {
    toggleTheme();
    this.app.repaint();
  }

  help() {
    const help = byId('help');
    if (help.open) return help.close();
    this.app.tooltip.hide();
    help.showModal();
    // No autofocus attribute: in a closed dialog it takes the focus when the page loads, or fails.
    return byId('help-title').focus();
  }

  /** Opens the menu of files to save: pictures of the graph where one is shown, and the profile. */
  save(opener) {
    const {left, bottom} = opener.getBoundingClientRect();
    const {app, viewState} = this;
    const title = titleOf(app.profile.header);
    const value = formatValue(this.scene.callTree.totals[0], app.presenter.valueType);
    const pictures = isPicture(viewState) ? savingsOf(app.stage.flame, title, value) : [];
    const profiles = profileSavingsOf(app, title, (text, what) => this.copy(text, what));
    const separator = pictures.length > 0 && profiles.length > 0 ? [null] : [];
    app.menu.open([...pictures, ...separator, ...profiles], {x: left, y: bottom + 4});
  }
}

/** Whether the view is one large graph. */
export function isPicture({view}) { return view === 'flame' || view === 'callers'; }
