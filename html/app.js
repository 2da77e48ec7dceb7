// What is shown and how the views follow: one Place, changed by the reader's commands, from which everything on screen
// is made.

import {followFrames, followNames, pathTo} from './model/call_tree.js';
import {CallerTree} from './model/caller_tree.js';
import {hasPackage} from './model/kinds.js';
import {nothingText} from './model/numbers.js';
import {carryPlace, firstPlace, lensesOf} from './model/place.js';
import {compilePattern, escapePattern, matchFrames, StackMatches} from './model/search.js';
import {finish} from './model/work.js';
import {Changes} from './view/changes.js';
import {showCrumbs} from './view/crumbs.js';
import {DifferenceReading} from './view/difference_reading.js';
import {byId} from './view/dom.js';
import {Graph} from './view/graph.js';
import {fillHelp} from './view/help.js';
import {bindKeys} from './view/keyboard.js';
import {copyText, Menu} from './view/menu.js';
import {PlainReading} from './view/plain_reading.js';
import {announce, say} from './view/status.js';
import {currentTheme, followTheme, toggleTheme} from './view/theme.js';
import {Toolbar} from './view/toolbar.js';
import {Tooltip} from './view/tooltip.js';

const ROOT_NAME = 'all';

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
    this.take(profile, address.read(this.first, profile.header));
    // Counts how often the tree came to show other values.
    this.values = 0;
    this.tooltip = new Tooltip();
    this.menu = new Menu();
  }

  take(profile, place) {
    this.profile = profile;
    this.place = place;
    this.reading = new (this.isDifference ? DifferenceReading : PlainReading)(profile, place);
    this.callerTree = null;
  }

  get callTree() { return this.reading.callTree; }

  showHeader() { this.reading.showHeader(); }

  start() {
    fillHelp(this.isDifference);
    const commands = this.commands();
    this.changes = new Changes((name) => this.highlight(name));
    this.toolbar = new Toolbar(commands, this.isDifference);
    this.toolbar.showLenses(this.profile.header);
    followTheme(() => this.repaint());
    this.graph = new Graph({
      onPick: (target, event) => this.pick(target, event),
      onHover: (target, event) => this.hover(target, event),
      onMenu: (target, event) => this.openMenu(target, event),
    });
    this.bindKeys(commands);
    this.address.follow(() => this.goTo(this.address.read(this.first, this.profile.header)));
    this.palette = this.reading.makePalette(currentTheme());
    this.search();
    this.turn();
    this.reading.showLegend(this.palette);
    this.show();
  }

  /**
   * Shows another profile, as a session goes on: what is zoomed and searched stays as far as it is still there.
   * @param {import('./model/decode.js').Profile} profile @param {boolean} isOfAnother session, of which nothing stays
   */
  replace(profile, isOfAnother) {
    const names = pathTo(this.tree, this.zoom).map((node) => this.nodeName(node));
    this.first = firstPlace(profile.header);
    const place = isOfAnother ? this.first : carryPlace(this.place, this.profile.header, profile.header);
    this.take(profile, place);
    this.turn();
    if (!isOfAnother) this.place = {...place, zoom: framesTo(this.tree, followNames(this.tree, names))};
    this.toolbar.showLenses(profile.header);
    this.search();
    this.show({keepsRows: !isOfAnother});
    this.reading.showLegend(this.palette);
  }

  commands() {
    return {
      search: (text) => this.change({search: text}),
      nextMatch: (step) => this.selectMatch(step),
      lens: (lens) => this.change({lens}),
      scale: (scale) => this.change({scale}),
      width: (width) => this.change({width}),
      changes: () => this.toggleChanges(),
      callers: () => this.change({callers: !this.place.callers}),
      icicle: () => this.change({icicle: !this.place.icicle}),
      byWidth: () => this.change({byWidth: !this.place.byWidth}),
      theme: () => {
        toggleTheme();
        this.repaint();
      },
      help: () => this.toggleHelp(),
    };
  }

  bindKeys(commands) {
    const move = (direction) => () => this.showSelected(this.graph.selectBeside(direction));
    const vertical = (up) => () => move(up === this.place.icicle ? 'out' : 'in')();
    const keys = {
      'Search': () => this.toolbar.focusSearch(),
      '/': () => this.toolbar.focusSearch(),
      'Escape': () => this.escape(),
      '0': () => this.zoomTo(this.tree.root),
      'Enter': () => this.graph.selected >= 0 && this.zoomTo(this.graph.selected),
      'ArrowUp': vertical(true),
      'ArrowDown': vertical(false),
      'ArrowLeft': move('left'),
      'ArrowRight': move('right'),
      'n': () => this.selectMatch(1),
      'N': () => this.selectMatch(-1),
      'c': commands.callers,
      'i': commands.icicle,
      's': commands.byWidth,
      'd': commands.theme,
      'v': () => commands.lens(this.nextLens()),
      ...(this.isDifference && {'t': commands.changes}),
      '?': commands.help,
    };
    bindKeys(keys, () => !byId('help').open && !this.changes.isOpen && !this.menu.isOpen && this.isInView());
  }

  nextLens() {
    const lenses = lensesOf(this.profile.header);
    return lenses[(lenses.indexOf(this.place.lens) + 1) % lenses.length];
  }

  nameOf(frame) { return this.callTree.table.nameOf(frame); }

  nodeName(node) { return node === this.tree.root ? ROOT_NAME : this.nameOf(this.tree.frames[node]); }

  /** A change that the reader makes; a zoom is a step that the browser's Back undoes. */
  change(fields) {
    const isStep = 'zoom' in fields;
    const next = {...this.place, ...fields};
    // A path of callers means nothing in the tree of callees.
    if (next.callers !== this.place.callers) next.zoom = [];
    this.goTo(next);
    this.address.write(this.place, this.first, isStep);
  }

  goTo(place) {
    const before = this.place;
    this.place = place;
    const areNewValues = this.reading.goTo(place);
    if (areNewValues) {
      this.values++;
      this.callerTree = null;
    }
    if (areNewValues || place.search !== before.search) this.search();
    if (areNewValues || place.callers !== before.callers) this.turn();
    this.show();
    if (areNewValues) this.reading.showLegend(this.palette);
  }

  turn() {
    if (this.place.callers) {
      this.callerTree ??= finish(CallerTree.of(this.callTree));
      this.tree = this.callerTree;
    } else {
      this.tree = this.callTree;
    }
  }

  search() {
    const pattern = compilePattern(this.place.search);
    this.pattern = pattern;
    this.mask = pattern && matchFrames(this.callTree.table, pattern.regex);
    this.matches = pattern && new StackMatches(this.callTree, this.mask);
  }

  show({keepsRows = false} = {}) {
    const {tree, place, reading} = this;
    this.zoom = followFrames(tree, place.zoom);
    this.tooltip.hide();
    this.graph.show({
      tree,
      values: this.values,
      keepsRows,
      zoom: this.zoom,
      zoomRow: pathTo(tree, this.zoom).length,
      byWidth: place.byWidth,
      icicle: place.icicle,
      mask: this.mask,
      matches: place.callers ? null : this.matches,
      palette: this.palette,
      shadeOf: (node) => reading.shadeOf(tree, node),
      nameOf: (frame) => this.nameOf(frame),
      hatchingOf: (node) => reading.hatchingOf(tree, node),
      hasPackage: (frame) => hasPackage(this.callTree.table.kindOf(frame)),
      rootLabel: `${ROOT_NAME} · ${reading.wholeText(tree)}`,
    });
    const isEmpty = tree.totals[tree.root] === 0;
    document.body.dataset.state = isEmpty ? 'empty' : 'ready';
    if (isEmpty) byId('message').textContent = nothingText(reading.valueType);
    this.toolbar.show(place, this.searchResult());
    const path = [tree.root, ...pathTo(tree, this.zoom)].map((node) => ({node, name: this.nodeName(node)}));
    showCrumbs(path, reading.shareText(tree, this.zoom), (node) => this.zoomTo(node));
  }

  searchResult() {
    if (!this.pattern) return null;
    const {problem} = this.pattern;
    return {problem, nodes: this.matches.nodes, ...this.reading.searchResult(this.matches)};
  }

  repaint() {
    this.palette = this.reading.makePalette(currentTheme());
    this.show();
    this.reading.showLegend(this.palette);
  }

  zoomTo(node) {
    const zoom = framesTo(this.tree, node);
    if (zoom.join() !== this.place.zoom.join()) this.change({zoom});
  }

  pick(target, event) {
    if (!target) return undefined;
    // A finger cannot hover: its first tap tells what the frame is, its second zooms.
    const isFirstTap = event.pointerType === 'touch' && this.graph.selected !== target.node;
    if (isFirstTap) return this.showSelected(this.graph.select(target.node));
    if (target.merged > 0 && target.node === this.zoom) {
      return say('These frames are too narrow for this window: sort by width, or search for one');
    }
    return this.zoomTo(target.node);
  }

  hover(target, event) {
    if (event.pointerType === 'touch') return;
    this.describe(target, {x: event.clientX, y: event.clientY});
  }

  describe(target, point) {
    if (!target || this.menu.isOpen) return this.tooltip.hide();
    this.tooltip.show(this.factsOf(target), point);
  }

  factsOf(target) {
    const {tree, palette, reading} = this;
    const {node, merged} = target;
    const colour = node === tree.root ? palette.root : palette.plain[reading.shadeOf(tree, node)];
    return {name: this.nodeName(node), colour, merged, ...reading.factsOf(tree, target, this.zoom)};
  }

  /** For the keyboard and the finger, what the pointer's hover is for the mouse. */
  showSelected(target) {
    if (!target) return this.tooltip.hide();
    const {left, bottom, width} = target.box;
    this.describe(target, {x: left + Math.min(width / 2, 160), y: bottom});
    announce(`${this.nodeName(target.node)}, ${this.reading.shareText(this.tree, target.node)}`);
  }

  /** Goes round what matches in view; when nothing does, says where to look. */
  selectMatch(step) {
    if (!this.pattern || this.matches.nodes === 0) return;
    const found = this.graph.outermostMatches();
    if (found.length === 0) {
      say(this.zoom === this.tree.root ?
              'The matches are too narrow to draw: zoom in where the colour of a match shows' :
              'No match in view: press 0 to see all');
      return;
    }
    const at = found.indexOf(this.graph.selected);
    const next = at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length;
    this.showSelected(this.graph.select(found[next]));
    this.toolbar.showPosition(next + 1, found.length);
  }

  openMenu(target, event) {
    event.preventDefault();
    if (!target || target.merged > 0 || target.node === this.tree.root) return;
    this.tooltip.hide();
    this.graph.select(target.node);
    const {node} = target;
    const names = pathTo(this.tree, node).map((step) => this.nodeName(step));
    // A stack is written from its root on, whichever way the tree is turned.
    if (this.place.callers) names.reverse();
    this.menu.open(
        [
          ['Zoom in', () => this.zoomTo(node)],
          ['Highlight this frame', () => this.highlight(this.nodeName(node))],
          ['Copy name', () => this.copy(this.nodeName(node), 'Name')],
          ['Copy stack', () => this.copy(names.join(';'), 'Stack')],
        ],
        {x: event.clientX, y: event.clientY});
  }

  highlight(name) { this.change({search: `^${escapePattern(name)}$`}); }

  async copy(text, what) {
    const copied = await copyText(text);
    say(copied ? `${what} copied` : 'The browser does not let this page copy');
  }

  /** Undoes the innermost thing that is open. */
  escape() {
    if (byId('help').open) return byId('help').close();
    if (this.changes.isOpen) return this.changes.close();
    if (byId('quality')?.open) return byId('quality').removeAttribute('open');
    if (this.menu.isOpen) return this.menu.close();
    if (this.toolbar.leaveSearch()) return undefined;
    if (this.zoom !== this.tree.root) return this.zoomTo(this.tree.root);
    if (this.graph.selected >= 0) {
      this.graph.select(-1);
      return this.tooltip.hide();
    }
    return this.change({search: ''});
  }

  toggleHelp() {
    const help = byId('help');
    if (help.open) return help.close();
    this.tooltip.hide();
    help.showModal();
    // Not by autofocus: on loading, that of a closed dialog takes the focus from the page, or complains that it cannot.
    byId('help-title').focus();
  }

  toggleChanges() {
    if (this.changes.isOpen) return this.changes.close();
    this.tooltip.hide();
    return this.changes.open(this.reading);
  }
}

function framesTo(tree, node) { return pathTo(tree, node).map((step) => tree.frames[step]); }
