// The call tree as an expandable table; also the alternative to the flame graph for screen readers.

import {pathTo} from '../../model/trees/call_tree.js';

import {byId, make} from '../dom.js';
import {labelOf} from '../graph/graph_view.js';
import {figureCells, unitsOf, VirtualTable} from './virtual_table.js';

/** Expanding a frame continues along children with at least this share of its value. */
const MOST = 0.85;
const MOST_AT_ONCE = 60;

export class TreeView {
  /** @param {Object} on  menu(node, point), select(node) */
  constructor(on) {
    this.on = on;
    this.element = make('section', {class: 'view-of-table', hidden: ''});
    this.host = make('div');
    this.element.append(this.host);
    byId('stage').insertBefore(this.element, byId('empty'));
    this.open = new Set();
    this.rows = [];
  }

  makeTable(presenter) {
    this.table = new VirtualTable(this.host, {
      id: 'tree',
      role: 'treegrid',
      label: 'Call tree',
      columns: [{id: 'name', label: 'Method', isText: true}, ...presenter.columns.map((column) => ({...column, isSorted: false}))],
      cells: (row) => this.cellsOf(this.rows[row]),
      attributes: (row) => this.attributesOf(this.rows[row]),
      on: {
        pick: (row, event) => this.pick(row, event),
        menu: (row, point) => this.on.menu(this.rows[row].node, point),
        key: (row, event) => this.onKey(row, event),
        activate: (row) => this.on.select(this.rows[row].node),
      },
    });
  }

  /** @param {Object} scene tree, presenter, palette, focus (a node to make visible), mask (of the search, or null) */
  show(scene) {
    const before = this.scene;
    this.scene = scene;
    if (!this.table) this.makeTable(scene.presenter);
    this.table.showUnits(unitsOf(scene.presenter));
    const {tree, focus} = scene;
    const isSame = before && (before.tree.shape ?? before.tree) === (tree.shape ?? tree);
    const active = isSame && before.focus === focus ? this.rows[this.table.active]?.node : focus;
    if (!isSame) {
      this.open = new Set();
      this.openFrom(tree.root);
    }
    if (active > 0) this.openTo(active);
    this.fill(active);
  }

  /** Creates the rows of expanded nodes. @param {number} active  the focused node */
  fill(active) {
    const {tree} = this.scene;
    this.rows = [];
    const stack = [{node: tree.root, depth: 0, position: 1, siblings: 1}];
    while (stack.length > 0) {
      const row = stack.pop();
      this.rows.push(row);
      if (!this.open.has(row.node)) continue;
      const children = this.childrenOf(row.node);
      for (let i = children.length - 1; i >= 0; i--) {
        stack.push({node: children[i], depth: row.depth + 1, position: i + 1, siblings: children.length});
      }
    }
    const at = this.rows.findIndex(({node}) => node === active);
    this.table.show(this.rows.length, at);
    if (at >= 0 && active !== this.brought) this.table.activate(at);
    this.brought = active;
  }

  childrenOf(node) {
    const {tree} = this.scene;
    const children = [];
    for (let child = tree.firstChild(node); child; child = tree.nextSibling(child)) children.push(child);
    return children.sort((a, b) => tree.totals[b] - tree.totals[a] || a - b);
  }

  /** Expands a node and its descendants along dominant children. */
  openFrom(node) {
    const {tree} = this.scene;
    for (let step = 0; step < MOST_AT_ONCE; step++) {
      this.open.add(node);
      const [child] = this.childrenOf(node);
      if (child === undefined || tree.totals[child] < MOST * tree.totals[node]) return;
      node = child;
    }
  }

  openTo(node) {
    const {tree} = this.scene;
    this.open.add(tree.root);
    for (const step of pathTo(tree, node).slice(0, -1)) this.open.add(step);
  }

  hasChildren(node) { return this.scene.tree.firstChild(node) !== 0; }

  attributesOf({node, depth, position, siblings}) {
    const {tree, mask} = this.scene;
    const isHit = mask && node !== tree.root && mask[tree.frames[node]];
    return {
      'aria-level': depth + 1,
      'aria-posinset': position,
      'aria-setsize': siblings,
      ...(this.hasChildren(node) && {'aria-expanded': this.open.has(node)}),
      ...(isHit && {class: 'marked'}),
    };
  }

  cellsOf({node, depth}) {
    const {tree, presenter, palette} = this.scene;
    const isRoot = node === tree.root;
    const label = isRoot ? 'all' : labelOf(tree, node);
    const toggle = make('span', {class: this.hasChildren(node) ? 'toggle' : 'toggle leaf', 'aria-hidden': 'true'});
    const swatch = make('span', {class: 'swatch'});
    swatch.style.background = isRoot ? palette.root : palette.plain[presenter.shadeOf(tree, node)];
    const name = make('span', {class: 'tree-name', title: label}, toggle, swatch, make('span', {}, label));
    name.style.setProperty('--depth', depth);
    return [name, ...figureCells(presenter, tree.entryAt(tree.columns, tree.sums, node))];
  }

  pick(row, event) {
    const {node} = this.rows[row];
    if (event.type === 'click' && !event.target.closest('.toggle') && event.detail < 2) return;
    if (this.hasChildren(node)) this.toggle(node);
  }

  toggle(node) {
    if (this.open.has(node)) {
      this.open.delete(node);
    } else {
      this.openFrom(node);
    }
    this.fill(node);
  }

  /** Right expands or moves in, left collapses or moves out, * expands all siblings. */
  onKey(row, event) {
    const {node, depth} = this.rows[row];
    const isOpen = this.open.has(node) && this.hasChildren(node);
    if (event.key === 'ArrowRight' && this.hasChildren(node)) {
      if (isOpen) {
        this.table.activate(row + 1);
      } else {
        this.toggle(node);
      }
    } else if (event.key === 'ArrowLeft' && isOpen) {
      this.toggle(node);
    } else if (event.key === 'ArrowLeft' && depth > 0) {
      this.table.activate(this.rows.findIndex((other) => other.node === this.scene.tree.parents[node]));
    } else if (event.key === '*' && depth > 0) {
      for (const sibling of this.childrenOf(this.scene.tree.parents[node])) this.openFrom(sibling);
      this.fill(node);
    } else {
      return event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    }
    return true;
  }

  /** Expands the path to a node and focuses it. */
  select(node) {
    this.openTo(node);
    this.brought = -1;
    this.fill(node);
  }

  get selected() { return this.rows[this.table?.active]?.node ?? -1; }

  focus() { this.table?.table.focus(); }
}
