// The place where one of the views is shown, and what each of them is shown.

import {isAllNoise} from '../model/difference.js';
import {formatCount} from '../model/numbers.js';

import {byId} from './dom.js';
import {GraphView} from './graph_view.js';
import {SandwichView} from './sandwich_view.js';
import {TableView} from './table_view.js';
import {TreeView} from './tree_view.js';

const nameOf = ({name, line}) => line > 0 ? `${name}:${line}` : name;
const METHOD = {id: 'name', label: 'Method', isText: true, isSorted: true};
const KINDS = {
  top: {id: 'top', label: 'Methods by what they used', isRanking: true, name: METHOD, many: 'methods', nameOf},
  packages: {
    id: 'packages',
    label: 'Packages and namespaces by what they used',
    name: {id: 'name', label: 'Package or namespace', isText: true, isSorted: true},
    extra: [{id: 'methods', label: 'Methods', title: 'How many of its methods were seen', isSorted: true}],
    many: 'packages and namespaces',
    nameOf,
  },
  lines: {
    id: 'lines',
    label: 'Lines of the method by what they used',
    name: {id: 'line', label: 'Line', isText: true, isSorted: true},
    many: 'lines',
    isPlain: true,
    ignoresSearch: true,
    nameOf: ({line}) => line > 0 ? `line ${line}` : 'without a line',
    keyOf: ({line}) => line,
  },
  changes: {
    id: 'changes',
    label: 'Methods by how much they changed',
    isRanking: true,
    name: METHOD,
    many: 'methods',
    nameOf,
  },
};

export class Stage {
  /**
   * @param {Object} tooltip
   * @param {Object} on  what the reader does: graph (as GraphView's on), tree (as TreeView's), method, menuOfName, pickMethod,
   *     pickPackage, sort
   * @param {boolean} isDifference
   */
  constructor(tooltip, on, isDifference) {
    this.on = on;
    const table = isDifference ? 'Changes' : 'Tree';
    const label = `Flame graph. Arrow keys move from frame to frame; the view ${table} tells the same as text.`;
    this.flame = new GraphView(byId('graph'), {label, tooltip, on: on.graph});
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
    });
  }

  /** In the graph a method is only looked for when the reader comes from elsewhere. */
  looksForMethod({view, method}) { return method !== '' && (view === 'tree' || this.view !== 'flame'); }

  /** @return {boolean} whether the view shows a part of the tree, and needs to know nothing of the rest */
  isPicture(place) { return place.view === 'flame' && !this.looksForMethod(place); }

  /**
   * @param {import('../model/place.js').Place} place @param {import('../model/answers.js').Answers} answers
   * @return {Generator} what the view needs
   */
  * prepare(place, answers) {
    const needsMethod = place.view === 'sandwich' || place.view === 'lines';
    const method = needsMethod && place.method === '' ? yield* answers.hottest() : place.method;
    switch (place.view) {
      case 'callers': return {method, tree: yield* unfolded(yield* answers.callers())};
      case 'sandwich': {
        const halves = yield* answers.sandwich(method);
        yield* unfolded(halves.callers);
        return {method, halves};
      }
      case 'lines': return {method, items: yield* answers.lines(method)};
      case 'packages': return {method, items: yield* answers.packages()};
      case 'top':
      case 'changes': return {method, items: yield* answers.top()};
      default: {
        if (place.view === 'tree') yield* answers.callTree.learnColumns();
        const widest = this.looksForMethod(place) ? yield* answers.widest(method) : -1;
        return {method, tree: answers.callTree, widest};
      }
    }
  }

  /** @param {Object} sight  all that there is to see, with `data` of prepare() */
  show(sight) {
    const {place, data} = sight;
    const {view} = place;
    const isFlame = view === 'flame' || view === 'callers';
    byId('graph').hidden = !isFlame;
    this.sandwich.element.hidden = view !== 'sandwich';
    this.tree.element.hidden = view !== 'tree';
    for (const [id, table] of this.tables) table.element.hidden = id !== view;
    if (isFlame) {
      this.flame.show({...sight, icicle: place.icicle, byWidth: place.byWidth, matches: view === 'flame' ? sight.matches : null});
      // Else the reader comes back to what he has left.
      const isNew = place.method !== this.left?.method || this.left.view !== view;
      if (this.flame.selected < 0 && this.view !== view && isNew) this.markFocus(sight);
    } else if (view === 'sandwich') {
      this.sandwich.show({...sight, byWidth: place.byWidth}, data.halves, data.method);
    } else if (view === 'tree') {
      this.tree.show({...sight, focus: data.widest > 0 ? data.widest : sight.zoom});
    } else {
      this.showTable(sight);
    }
    if (isFlame) this.left = {view, method: place.method};
    this.view = view;
  }

  /** The method that the reader was with in another view. */
  markFocus({place, tree, data}) {
    if (place.method === '') return;
    if (place.view === 'flame') return this.flame.mark(data.widest);
    for (let child = tree.firstChild(tree.root); child; child = tree.nextSibling(child)) {
      if (tree.nameOf(child) === place.method) return this.flame.mark(child);
    }
    return undefined;
  }

  showTable(sight) {
    const {place, data} = sight;
    const table = this.tables.get(place.view);
    if (place.view !== 'lines') return table.show(sight, data.items, sight.reading.isOfChanges ? (methods) => changedText(methods, sight.reading) : undefined);
    const known = data.items.filter(({line}) => line > 0);
    const without = 'this profile has no line numbers for it';
    return table.show({...sight, canPick: false}, data.items, () => known.length > 0 ? data.method : `${data.method}: ${without}`);
  }

  /** @return {?GraphView} the graph that the keyboard moves in, if one is shown */
  get graph() {
    return this.view === 'sandwich' ? this.sandwich.selectedView : this.view === 'flame' || this.view === 'callers' ? this.flame : null;
  }

  /** Puts the keyboard into the view. */
  focus() {
    if (this.graph) return byId('graph').focus();
    return (this.view === 'tree' ? this.tree : this.tables.get(this.view)).focus();
  }
}

/** @return {Generator} of the tree, of which there is what a window can show */
function* unfolded(tree) {
  yield* tree.unfold(tree.totals[tree.root] / innerWidth);
  return tree;
}

function changedText(methods, reading) {
  const changed = methods.filter((method) => !isAllNoise(method)).length;
  const caution = reading.isOfShares ? '; a share shrinks also where another grows' : '';
  return `${formatCount(changed)} changed by more than chance explains${caution}`;
}
