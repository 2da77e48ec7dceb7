// One flame graph with what belongs to it: the tooltip, the selected frame, the way to its menu. The flame graph, its
// callers and both halves of the sandwich are each one.

import {pathTo} from '../model/call_tree.js';
import {hasPackage} from '../model/kinds.js';

import {Graph} from './graph.js';
import {announce} from './status.js';
import {narrowText} from './tooltip.js';

const ROOT_NAME = 'all';
const REST_MILLISECONDS = 90;

export class GraphView {
  /**
   * @param {HTMLElement} scroller @param {Object} options label (for screen readers), tooltip, and on: pick(target, event, view),
   *     menu(target, point, view), select(node, view)
   */
  constructor(scroller, {label, tooltip, on}) {
    this.tooltip = tooltip;
    this.on = on;
    this.graph = new Graph(scroller, label, {
      onPick: (target, event) => this.pick(target, event),
      onHover: (target, event) => this.hover(target, event),
      onMenu: (target, event) => this.openMenu(target, {x: event.clientX, y: event.clientY}),
      onScroll: () => this.describe(null),
    });
  }

  /**
   * @param {Object} sight tree, reading, palette, zoom (node), icicle, byWidth, mask, marks, matches, keepsRows; and what is called
   *     otherwise in this view: rootLabel, zoomLabel (what the second share of a tooltip is of)
   */
  show(sight) {
    this.sight = sight;
    const {tree, reading} = sight;
    clearTimeout(this.resting);
    this.tooltip.hide();
    this.graph.show({
      ...sight,
      zoomRow: pathTo(tree, sight.zoom).length,
      shadeOf: (node) => reading.shadeOf(tree, node),
      nameOf: (node) => labelOf(tree, node),
      hatchingOf: (node) => reading.hatchingOf(tree, node),
      hasPackage: (node) => hasPackage(tree.table.kindOf(tree.lookOf(node))),
      rootLabel: sight.rootLabel ?? `${ROOT_NAME} · ${reading.wholeText(tree)}`,
    });
  }

  get selected() { return this.graph.selected; }

  nameOf(node) { return node === this.sight.tree.root ? ROOT_NAME : this.sight.tree.nameOf(node); }

  labelOf(node) { return node === this.sight.tree.root ? ROOT_NAME : labelOf(this.sight.tree, node); }

  /** @param {{node: number, merged: number}} target @return {string} what it is and how much, in a line */
  textOf({node, merged}) {
    const {tree, reading} = this.sight;
    return merged > 0 ? narrowText(merged) : `${this.labelOf(node)} · ${reading.shareText(tree, node)}`;
  }

  pick(target, event) {
    if (!target) return undefined;
    // A finger cannot hover: its first tap tells what the frame is, its second is the click.
    const isFirstTap = event.pointerType === 'touch' && this.graph.selected !== target.node;
    if (isFirstTap) return this.tell(this.graph.select(target.node));
    return this.on.pick(target, event, this);
  }

  hover(target, event) {
    if (event.pointerType === 'touch') return;
    this.describe(target, {x: event.clientX, y: event.clientY});
  }

  describe(target, point) {
    clearTimeout(this.resting);
    if (!target || this.on.isBlocked()) return this.tooltip.hide();
    const facts = this.factsOf(target);
    this.tooltip.show(facts, point);
    this.resting = setTimeout(() => this.describeMore(target, facts, point), REST_MILLISECONDS);
    return undefined;
  }

  /** What takes a moment is told when the pointer rests. */
  describeMore({node, merged}, facts, point) {
    const {tree, reading} = this.sight;
    const details = merged > 0 || !this.tooltip.isShown ? [] : reading.detailsOf(tree, node);
    if (details.length > 0) this.tooltip.show({...facts, details: [...facts.details, ...details]}, point);
  }

  factsOf(target) {
    const {tree, palette, reading, zoom, zoomLabel} = this.sight;
    const {node, merged} = target;
    const colour = node === tree.root ? palette.root : palette.plain[reading.shadeOf(tree, node)];
    return {name: this.labelOf(node), colour, merged, ...reading.factsOf(tree, target, zoom, zoomLabel)};
  }

  /** For the keyboard and the finger, what the pointer's hover is for the mouse. */
  tell(target) {
    if (!target) return this.tooltip.hide();
    const {left, bottom, width} = target.box;
    const {tree, reading} = this.sight;
    this.describe(target, {x: left + Math.min(width / 2, 160), y: bottom});
    announce(`${this.labelOf(target.node)}, ${reading.shareText(tree, target.node)}`);
    this.on.select(target.node, this);
  }

  select(node) { this.tell(this.graph.select(node)); }

  /** Marks a node without a word, as after a change of the view. */
  mark(node) { this.graph.select(node); }

  move(direction) { this.tell(this.graph.selectBeside(direction)); }

  openMenu(target, point) {
    if (!target || target.merged > 0 || target.node === this.sight.tree.root || this.on.isBlocked()) return;
    this.tooltip.hide();
    this.graph.select(target.node);
    this.on.menu(target.node, point, this);
  }

  /** Of the selected frame, by a key. */
  openMenuOfSelected() {
    const target = this.graph.selected < 0 ? null : this.graph.select(this.graph.selected);
    if (target) this.openMenu(target, {x: target.box.left + Math.min(target.box.width / 2, 160), y: target.box.bottom});
  }
}

/** @return {string[]} names from the root's side on, whichever way the tree is turned */
export function stackOf(tree, node) {
  const names = pathTo(tree, node).map((step) => tree.nameOf(step));
  return tree.callTree ? names.reverse() : names;
}

/** @return {string} a node's name, with its line where lines part frames */
export function labelOf(tree, node) {
  const line = tree.table.lineOf(tree.frames[node]);
  return line > 0 ? `${tree.nameOf(node)}:${line}` : tree.nameOf(node);
}
