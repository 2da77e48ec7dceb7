// Shows one of the views and prepares its data.

import {pathTo} from '../model/trees/call_tree.js';
import {isAllNoise} from '../model/trees/difference.js';
import {trunkOf} from '../model/trees/trunk.js';
import {formatCount} from '../model/text/numbers.js';

import {byId} from './dom.js';
import {GraphView} from './graph/graph_view.js';
import {SandwichView} from './graph/sandwich_view.js';
import {TableView} from './tables/table_view.js';
import {TreeView} from './tables/tree_view.js';

const nameOf = ({name, line}) => line > 0 ? `${name}:${line}` : name;
const METHOD = {id: 'name', label: 'Method', isText: true, isSorted: true};
const KINDS = {
  top: {id: 'top', label: 'Methods by value', isRanking: true, name: METHOD, one: 'method', many: 'methods', nameOf},
  packages: {
    id: 'packages',
    label: 'Packages and namespaces by value',
    name: {id: 'name', label: 'Package or namespace', isText: true, isSorted: true},
    extra: [{id: 'methods', label: 'Methods', title: 'Number of sampled methods', isSorted: true}],
    one: 'package or namespace',
    many: 'packages and namespaces',
    nameOf,
  },
  lines: {
    id: 'lines',
    label: 'Lines of the method by value',
    name: {id: 'line', label: 'Line', isText: true, isSorted: true},
    one: 'line',
    many: 'lines',
    isPlain: true,
    ignoresSearch: true,
    nameOf: ({line}) => line > 0 ? `line ${line}` : 'unknown line',
    keyOf: ({line}) => line,
  },
  changes: {
    id: 'changes',
    label: 'Methods by change',
    isRanking: true,
    name: METHOD,
    one: 'method',
    many: 'methods',
    nameOf,
  },
};

export class Stage {
  /**
   * @param {Object} tooltip
   * @param {Object} on  listeners: graph (as GraphView's on), tree (as TreeView's), method, menuOfName, pickMethod,
   *     pickPackage, sort, copy
   * @param {boolean} isDifference
   */
  constructor(tooltip, on, isDifference) {
    this.on = on;
    const table = isDifference ? 'Changes' : 'Tree';
    const label = `Flame graph. Arrow keys move between frames; the ${table} view shows the same as text.`;
    this.flame = new GraphView(byId('graph'), {label, tooltip, map: byId('minimap'), on: on.graph});
    this.sandwich = new SandwichView(tooltip, on.graph);
    this.tree = new TreeView(on.tree);
    this.tables = new Map(Object.values(KINDS).map((kind) => [kind.id, this.makeTable(kind)]));
  }

  makeTable(kind) {
    const {on} = this;
    return new TableView(kind, {
      pick: (item) => kind.id === 'packages' ? on.pickPackage(item.name) : on.pickMethod(item.name),
      menu: (item, point) => kind.id !== 'packages' && kind.id !== 'lines' && on.menuOfName(item.name, point),
      select: (item) => kind.id !== 'packages' && kind.id !== 'lines' && on.method(item.name),
      sort: on.sort,
      copy: on.copy,
    });
  }

  /** Whether to search for the selected method: in the tree, and in the graph when coming from another view. */
  looksForMethod({view, method}) { return method !== '' && (view === 'tree' || this.view !== 'flame'); }

  /** @return {boolean} whether the view needs only the visible part of the tree */
  isPicture(viewState) { return viewState.view === 'flame' && !this.looksForMethod(viewState); }

  /**
   * @param {import('../model/view_state.js').ViewState} place @param {import('../model/trees/query_cache.js').QueryCache} queries
   * @return {Generator} the data of the view
   */
  * prepare(viewState, queries) {
    const needsMethod = viewState.view === 'sandwich' || viewState.view === 'lines';
    const method = needsMethod && viewState.method === '' ? yield* queries.hottest() : viewState.method;
    switch (viewState.view) {
      case 'callers': return {method, tree: yield* unfolded(yield* queries.callers())};
      case 'sandwich': {
        const halves = yield* queries.sandwich(method);
        yield* unfolded(halves.callers);
        return {method, halves};
      }
      case 'lines': return {method, items: yield* queries.lines(method)};
      case 'packages': return {method, items: yield* queries.packages()};
      case 'top':
      case 'changes': return {method, items: yield* queries.top()};
      default: {
        if (viewState.view === 'tree') yield* queries.callTree.computeColumns();
        const widest = this.looksForMethod(viewState) ? yield* queries.widest(method) : -1;
        return {method, tree: queries.callTree, widest, trunk: viewState.view === 'flame' ? trunkOf(queries.callTree) : []};
      }
    }
  }

  /** @param {Object} scene  the scene, with `data` of prepare() */
  show(scene) {
    const {viewState, data} = scene;
    const {view} = viewState;
    const isFlame = view === 'flame' || view === 'callers';
    byId('flame').hidden = !isFlame;
    this.sandwich.element.hidden = view !== 'sandwich';
    this.tree.element.hidden = view !== 'tree';
    for (const [id, table] of this.tables) table.element.hidden = id !== view;
    if (isFlame) {
      const {icicle, byWidth} = viewState;
      const matches = view === 'flame' ? scene.matches : null;
      this.flame.show({...scene, icicle, byWidth, matches, firstRow: firstRowOf(scene), hidesRows: true});
      // Keep the selection when the reader returns to a view without changes.
      const isNew = viewState.method !== this.left?.method || this.left.view !== view;
      if (this.flame.selected < 0 && this.view !== view && isNew) this.markFocus(scene);
    } else if (view === 'sandwich') {
      this.sandwich.show({...scene, byWidth: viewState.byWidth}, data.halves, data.method);
    } else if (view === 'tree') {
      this.tree.show({...scene, focus: data.widest > 0 ? data.widest : scene.zoom});
    } else {
      this.showTable(scene);
    }
    if (isFlame) this.left = {view, method: viewState.method};
    this.view = view;
  }

  /** Marks the method that was selected in another view. */
  markFocus({viewState, tree, data}) {
    if (viewState.method === '') return;
    if (viewState.view === 'flame') return this.flame.mark(data.widest);
    for (let child = tree.firstChild(tree.root); child; child = tree.nextSibling(child)) {
      if (tree.nameOf(child) === viewState.method) return this.flame.mark(child);
    }
    return undefined;
  }

  showTable(scene) {
    const {viewState, data} = scene;
    const table = this.tables.get(viewState.view);
    if (viewState.view !== 'lines') return table.show(scene, data.items, scene.presenter.isOfChanges ? (methods) => changedText(methods, scene.presenter) : undefined);
    const known = data.items.filter(({line}) => line > 0);
    const without = 'no line numbers in this profile';
    return table.show({...scene, canPick: false}, data.items, () => known.length > 0 ? data.method : `${data.method}: ${without}`);
  }

  /** Scrolls each graph to a match of the search, unless one is visible. */
  revealMatch() {
    const graphs = {flame: [this.flame], callers: [this.flame], sandwich: [this.sandwich.callers, this.sandwich.callees]};
    for (const view of graphs[this.view] ?? []) view.graph.revealMatch();
  }

  /** @return {?GraphView} the graph with the keyboard focus, if one is shown */
  get graph() {
    return this.view === 'sandwich' ? this.sandwich.selectedView : this.view === 'flame' || this.view === 'callers' ? this.flame : null;
  }

  /** Moves the focus to the view. */
  focus() {
    if (this.graph) return byId('graph').focus();
    return (this.view === 'tree' ? this.tree : this.tables.get(this.view)).focus();
  }
}

/** Returns the first row to draw: the last one of the trunk, unless the reader opened the trunk or zoomed into it. */
function firstRowOf({tree, zoom, viewState, data: {trunk = []}}) {
  if (viewState.trunk) return 0;
  return zoom === tree.root ? trunk.length : Math.min(trunk.length, pathTo(tree, zoom).length);
}

/** @return {Generator} of the tree, with all nodes that are at least a pixel wide */
function* unfolded(tree) {
  yield* tree.unfold(tree.totals[tree.root] / innerWidth);
  return tree;
}

function changedText(methods, presenter) {
  const changed = methods.filter((method) => !isAllNoise(method)).length;
  const caution = presenter.isOfShares ? '; a share also shrinks when others grow' : '';
  return `${formatCount(changed)} changed beyond chance${caution}`;
}
