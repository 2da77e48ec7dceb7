// What the reader can do, by key, button, menu or click: each leads to a change of the place.

import {formatValue} from '../model/numbers.js';
import {MOST_HIGHLIGHTS} from '../model/place.js';
import {escapePattern} from '../model/search.js';

import {byId} from './dom.js';
import {entriesOf} from './frame_menu.js';
import {stackOf} from './graph_view.js';
import {copyText} from './menu.js';
import {savingsOf} from './save_picture.js';
import {linkTemplate} from './source_links.js';
import {say} from './status.js';
import {toggleTheme} from './theme.js';

export class Commands {
  /** @param {import('../app.js').App} app */
  constructor(app) { this.app = app; }

  get place() { return this.app.place; }

  get sight() { return this.app.sight; }

  // What is looked at

  search(text) { this.app.change({search: text}); }

  lens(lens) { this.app.change({lens}); }

  scale(scale) { this.app.change({scale}); }

  width(width) { this.app.change({width}); }

  view(view) { this.app.change({view}); }

  callers() { this.view(this.place.view === 'callers' ? 'flame' : 'callers'); }

  icicle() { this.app.change({icicle: !this.place.icicle}); }

  byWidth() { this.app.change({byWidth: !this.place.byWidth}); }

  panel() {
    this.app.change({panel: !this.place.panel});
    if (this.place.panel) this.app.panel.focus();
  }

  setLabel(key, values) {
    const {[key]: _, ...others} = this.place.labels;
    this.app.change({labels: values.length > 0 ? {...others, [key]: values} : others});
  }

  part(flag, isApart) { this.app.change({[flag]: isApart}); }

  group(key) { this.transform({type: 'group', what: key, enabled: true}); }

  transform(transform) {
    this.setTransforms([...this.place.transforms, transform]);
    say('Added to the transforms');
  }

  setTransforms(transforms, isTyping = false) { this.app.change({transforms}, !isTyping); }

  setHighlights(highlights) { this.app.change({highlights}); }

  highlight(pattern) {
    const others = this.place.highlights.filter((other) => other !== pattern);
    const isNew = others.length === this.place.highlights.length;
    this.setHighlights(isNew ? [...others, pattern].slice(-MOST_HIGHLIGHTS) : others);
  }

  /** Takes away whatever keeps something out of sight. */
  showAll() { this.app.change({labels: {}, time: null, transforms: this.place.transforms.map((one) => ({...one, enabled: false}))}, true); }

  showMethod(view, method) { this.app.change({view, method}); }

  // Frames

  /** @param {number} node of the tree @param {boolean} isZoomable  whether it is shown where one can zoom */
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
    const all = {...where, place: this.place, views: this.app.toolbar.views, template: linkTemplate()};
    this.app.menu.open(entriesOf(name, all, this), point);
  }

  /** The line of a node where most was. */
  lineOf(tree, node) {
    if (tree !== this.sight.callTree) return 0;
    const known = tree.partsOf(node).lines.filter(({line}) => line > 0);
    return known.reduce((most, part) => part.total > most.total ? part : most, {line: 0, total: -1}).line;
  }

  async copy(text, what) {
    const copied = await copyText(text);
    say(copied ? `${what} copied` : 'The browser does not let this page copy');
  }

  open(link) { window.open(link, '_blank', 'noopener'); }

  askForLink() {
    if (!this.place.panel) this.panel();
    this.app.panel.sources.focus();
  }

  pick(target, event, graph) {
    if (graph !== this.app.stage.flame) return this.centre(target, graph);
    if (target.merged > 0 && target.node === this.sight.zoom) {
      return say('These frames are too narrow for this window: sort by width, or search for one');
    }
    return this.app.zoomTo(target.node);
  }

  /** In the sandwich a frame that is clicked is the next in the middle. */
  centre({node, merged}, graph) {
    const {tree} = graph.sight;
    if (merged === 0 && node !== tree.root && tree.nameOf(node) !== this.sight.data.method) {
      this.app.change({method: tree.nameOf(node)}, true);
    }
  }

  pickPackage(name) {
    if (name.startsWith('[')) return;
    this.app.change({view: 'top', search: `^${escapePattern(name).replaceAll('\\.', '[./]')}[./]`}, true);
  }

  /** What the parts of the stage tell. */
  ofStage() {
    const {app} = this;
    return {
      graph: {
        pick: (target, event, graph) => this.pick(target, event, graph),
        menu: (node, point, graph) => this.menuOfNode(node, point, graph.sight.tree, graph === app.stage.flame),
        select: (node, graph) => node !== graph.sight.tree.root && graph === app.stage.flame && app.remember(graph.nameOf(node)),
        isBlocked: () => app.menu.isOpen,
      },
      tree: {
        menu: (node, point) => this.menuOfNode(node, point, app.sight.tree, false),
        select: (node) => node !== app.sight.tree.root && app.remember(app.sight.tree.nameOf(node)),
      },
      method: (name) => app.remember(name),
      menuOfName: (name, point) => this.menuOfName(name, point),
      pickMethod: (method) => app.change({view: 'sandwich', method}),
      pickPackage: (name) => this.pickPackage(name),
      sort: (sort) => app.change({sort}),
    };
  }

  // Keys

  keys() {
    const {app} = this;
    const move = (direction) => () => app.stage.graph?.move(direction);
    const vertical = (up) => () => move(up === this.isDown() ? 'out' : 'in')();
    const ofSelected = (act) => () => {
      const name = this.selectedName();
      if (name === '') return say('Select a frame first, by the arrow keys');
      return act(name);
    };
    const views = Object.fromEntries(app.toolbar.views.map((view, i) => [String(i + 1), () => this.view(view)]));
    return {
      ...views,
      'Search': () => app.toolbar.focusSearch(),
      '/': () => app.toolbar.focusSearch(),
      'Escape': () => this.escape(),
      '0': () => this.place.zoom !== '' && app.change({zoom: ''}),
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
      't': () => byId('timeline').hidden || byId('time-from').focus(),
      'w': ofSelected((name) => this.showMethod('sandwich', name)),
      'l': ofSelected((name) => app.toolbar.views.includes('lines') && this.showMethod('lines', name)),
      'h': ofSelected((name) => this.highlight(`^${escapePattern(name)}$`)),
      '?': () => this.help(),
    };
  }

  /** Whether the root of the graph with the keyboard is at the top. */
  isDown() { return this.app.stage.graph?.graph.sight?.icicle ?? true; }

  selectedName() {
    const {stage, place} = this.app;
    const graph = stage.graph;
    if (graph && graph.selected > 0) return graph.nameOf(graph.selected);
    return place.method;
  }

  enter() {
    const graph = this.app.stage.graph;
    if (!graph || graph.selected < 0) return;
    const target = graph.graph.select(graph.selected);
    if (target) this.pick(target, new PointerEvent('click'), graph);
  }

  /** Goes round what matches. */
  nextMatch(step) { this.app.whenShown(() => this.goToNextMatch(step)); }

  goToNextMatch(step) {
    const {app, sight, place} = this;
    if (!sight?.matches || sight.matches.nodes === 0) return undefined;
    const isOfCallTree = place.view === 'flame' || place.view === 'tree';
    if (!isOfCallTree) return app.stage.graph && this.nextInView(step);
    const found = sight.search.outermost();
    const selected = place.view === 'tree' ? app.stage.tree.selected : app.stage.flame.selected;
    const from = Math.max(selected, sight.zoom);
    const after = found.findIndex((node) => step > 0 ? node > from : node >= from);
    const at = step > 0 ? Math.max(after, 0) : (after < 0 ? found.length : after) - 1;
    this.goToMatch(found[(at + found.length) % found.length]);
    return app.toolbar.showPosition((at + found.length) % found.length + 1, found.length);
  }

  /** Goes round the matches that are drawn. */
  nextInView(step) {
    const {graph} = this.app.stage;
    const found = graph.graph.outermostMatches();
    if (found.length === 0) return say('The matches are too narrow to draw: zoom in where the colour of a match shows');
    const at = found.indexOf(graph.selected);
    graph.select(found[at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length]);
    return this.app.toolbar.showPosition(found.indexOf(graph.selected) + 1, found.length);
  }

  goToMatch(node) {
    const {app} = this;
    if (this.place.view === 'tree') return app.stage.tree.select(node);
    const {flame} = app.stage;
    // What is not to be seen from here is seen from the root, or is too narrow for that, too.
    const ways = [() => {}, () => app.change({zoom: ''}), () => app.zoomTo(node)];
    for (const way of ways) {
      way();
      flame.select(node);
      if (flame.selected === node) return undefined;
    }
    return undefined;
  }

  /** Undoes the innermost thing that is open. */
  escape() {
    const {app, place} = this;
    if (byId('help').open) return byId('help').close();
    const popover = document.querySelector('details.popover[open]');
    if (popover) return popover.removeAttribute('open');
    if (app.menu.isOpen) return app.menu.close();
    if (app.toolbar.leaveSearch()) return undefined;
    if (app.panel.element.contains(document.activeElement)) return this.panel();
    if (place.zoom !== '') return app.change({zoom: ''});
    const graph = app.stage.graph;
    if (graph && graph.selected >= 0) {
      graph.mark(-1);
      app.remember('');
      return app.tooltip.hide();
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
    // Not by autofocus: on loading, that of a closed dialog takes the focus from the page, or complains that it cannot.
    return byId('help-title').focus();
  }

  save(opener) {
    const {left, bottom} = opener.getBoundingClientRect();
    const {header} = this.app.profile;
    const value = formatValue(this.sight.callTree.totals[0], this.app.reading.valueType);
    this.app.menu.open(savingsOf(this.app.stage.flame, header.title || 'flame graph', value), {x: left, y: bottom + 4});
  }
}
