// One method: who calls it above, what it calls below. A click on any frame puts that one in the middle.

import {byId, make} from './dom.js';
import {GraphView} from './graph_view.js';

// The root and the method, which the bar in the middle stands for.
const HIDDEN_ROWS = 2;
const LEAST_HALF = 110;

export class SandwichView {
  /** @param {Object} tooltip @param {Object} on as GraphView's */
  constructor(tooltip, on) {
    this.element = make('section', {class: 'sandwich', hidden: ''});
    const above = make('div', {class: 'graph'});
    const below = make('div', {class: 'graph'});
    this.middle = make('div', {class: 'middle'});
    this.element.append(above, this.middle, below);
    byId('stage').insertBefore(this.element, byId('empty'));
    this.callers = new GraphView(above, {label: 'Callers of the method. The tree and the table say the same as text.', tooltip, on});
    this.callees = new GraphView(below, {label: 'What the method calls.', tooltip, on});
  }

  /** @param {Object} sight  of GraphView, but tree and zoom @param {Object} halves of sandwich() @param {string} method */
  show(sight, {callers, callees}, method) {
    const {reading} = sight;
    const total = callees.totals[callees.root];
    const name = make('b', {title: method}, method);
    this.middle.replaceChildren(make('span', {class: 'side'}, '↑ callers'), name,
                                make('span', {class: 'share'}, total > 0 ? reading.shareText(callees, callees.root) : 'not in what is shown'),
                                make('span', {class: 'side'}, 'calls ↓'));
    const half = (tree, icicle) => {
      const zoom = tree.firstChild(tree.root) || tree.root;
      return {...sight, tree, zoom, icicle, firstRow: HIDDEN_ROWS, matches: null, zoomLabel: 'of the method'};
    };
    this.callers.show(half(callers, false));
    this.callees.show(half(callees, true));
    this.share();
  }

  /** Gives each half the room that its rows need of what there is. */
  share() {
    const halves = [[this.callers, 'Nobody calls it: it is a thread\'s first.'], [this.callees, 'It calls nothing that was seen.']];
    for (const [{graph}, nothing] of halves) {
      const rows = Math.max(0, graph.layout.rows - HIDDEN_ROWS);
      graph.scroller.style.flex = rows === 0 ? '0 0 44px' : `${rows} 1 ${LEAST_HALF}px`;
      graph.scroller.dataset.empty = rows === 0 ? nothing : '';
    }
  }

  get selectedView() { return this.callers.selected >= 0 ? this.callers : this.callees; }
}
