// A flame graph with its tooltip, selection and menu. Used for the flame graph, the callers view and both halves of the sandwich.

import {pathTo} from '../../model/trees/call_tree.js';
import {hasPackage} from '../../model/data/kinds.js';

import {Graph} from './graph.js';
import {Minimap} from './minimap.js';
import {announce} from '../status.js';
import {narrowText} from './tooltip.js';

const ROOT_NAME = 'all';
const REST_MILLISECONDS = 90;

export class GraphView {
  /**
   * @param {HTMLElement} scroller @param {Object} options label (for screen readers), tooltip, map (element of a minimap, or nothing), and on: pick(target, event, view),
   *     menu(target, point, view), select(node, view)
   */
  constructor(scroller, {label, tooltip, map, on}) {
    this.tooltip = tooltip;
    this.on = on;
    this.graph = new Graph(scroller, label, {
      onPick: (target, event) => this.pick(target, event),
      onHover: (target, event) => this.hover(target, event),
      onMenu: (target, event) => this.openMenu(target, {x: event.clientX, y: event.clientY}),
      onScroll: () => this.describe(null),
    }, map ? new Minimap(map, scroller) : null);
  }

  /**
   * @param {Object} scene tree, presenter, palette, zoom (node), icicle, byWidth, mask, marks, matches, keepsRows, firstRow and hidesRows (see
   *     Graph); and labels that differ in this view: rootLabel, zoomLabel (head of the second share in a tooltip)
   */
  show(scene) {
    this.scene = scene;
    const {tree, presenter} = scene;
    clearTimeout(this.resting);
    this.tooltip.hide();
    this.graph.show({
      ...scene,
      zoomRow: pathTo(tree, scene.zoom).length,
      shadeOf: (node) => presenter.shadeOf(tree, node),
      nameOf: (node) => labelOf(tree, node),
      hatchingOf: (node) => presenter.hatchingOf(tree, node),
      hasPackage: (node) => hasPackage(tree.table.kindOf(tree.lookOf(node))),
      rootLabel: scene.rootLabel ?? `${ROOT_NAME} · ${presenter.wholeText(tree)}`,
    });
  }

  get selected() { return this.graph.selected; }

  nameOf(node) { return node === this.scene.tree.root ? ROOT_NAME : this.scene.tree.nameOf(node); }

  labelOf(node) { return node === this.scene.tree.root ? ROOT_NAME : labelOf(this.scene.tree, node); }

  /** @param {{node: number, merged: number}} target @return {string} name and value in one line */
  textOf({node, merged}) {
    const {tree, presenter} = this.scene;
    return merged > 0 ? narrowText(merged) : `${this.labelOf(node)} · ${presenter.shareText(tree, node)}`;
  }

  pick(target, event) {
    if (!target) return undefined;
    // A finger cannot hover: the first tap shows the tooltip, the second one is the click.
    const isFirstTap = event.pointerType === 'touch' && this.graph.selected !== target.node;
    if (isFirstTap) return this.describeSelected(this.graph.select(target.node));
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

  /** Adds details that take a moment to compute once the pointer rests. */
  describeMore({node, merged}, facts, point) {
    const {tree, presenter} = this.scene;
    const details = merged > 0 || !this.tooltip.isShown ? [] : presenter.detailsOf(tree, node);
    if (details.length > 0) this.tooltip.show({...facts, details: [...facts.details, ...details]}, point);
  }

  factsOf(target) {
    const {tree, palette, presenter, zoom, zoomLabel} = this.scene;
    const {node, merged} = target;
    const colour = node === tree.root ? palette.root : palette.plain[presenter.shadeOf(tree, node)];
    return {name: this.labelOf(node), colour, merged, ...presenter.factsOf(tree, target, zoom, zoomLabel)};
  }

  /** Shows the tooltip of the selected frame, for keyboard and touch. */
  describeSelected(target) {
    if (!target) return this.tooltip.hide();
    const {left, bottom, width} = target.box;
    const {tree, presenter} = this.scene;
    this.describe(target, {x: left + Math.min(width / 2, 160), y: bottom});
    announce(`${this.labelOf(target.node)}, ${presenter.shareText(tree, target.node)}`);
    this.on.select(target.node, this);
  }

  select(node) { this.describeSelected(this.graph.select(node)); }

  /** Selects a node without announcing it, as after a change of the view. */
  mark(node) { this.graph.select(node); }

  move(direction) { this.describeSelected(this.graph.selectInDirection(direction)); }

  openMenu(target, point) {
    if (!target || target.merged > 0 || target.node === this.scene.tree.root || this.on.isBlocked()) return;
    this.tooltip.hide();
    this.graph.select(target.node);
    this.on.menu(target.node, point, this);
  }

  /** Opens the menu of the selected frame, by a key. */
  openMenuOfSelected() {
    const target = this.graph.selected < 0 ? null : this.graph.select(this.graph.selected);
    if (target) this.openMenu(target, {x: target.box.left + Math.min(target.box.width / 2, 160), y: target.box.bottom});
  }
}

/** @return {string[]} names from the outermost frame on, also in the inverted tree */
export function stackOf(tree, node) {
  const names = pathTo(tree, node).map((step) => tree.nameOf(step));
  return tree.callTree ? names.reverse() : names;
}

/** @return {string} a node's name, with its line if frames are split by line */
export function labelOf(tree, node) {
  const line = tree.table.lineOf(tree.frames[node]);
  return line > 0 ? `${tree.nameOf(node)}:${line}` : tree.nameOf(node);
}
