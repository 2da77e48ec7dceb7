// One method: callers above, callees below. A click on a frame puts it in the middle.

import {byId, make} from '../dom.js';
import {GraphView} from './graph_view.js';

// The root and the method, shown by the bar in the middle.
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
    this.callers = new GraphView(above, {label: 'Callers of the method. The Tree and Top views show the same as text.', tooltip, on});
    this.callees = new GraphView(below, {label: 'Callees of the method.', tooltip, on});
  }

  /** @param {Object} scene  of GraphView, except tree and zoom @param {Object} halves of sandwich() @param {string} method */
  show(scene, {callers, callees}, method) {
    const {presenter} = scene;
    const total = callees.totals[callees.root];
    const name = make('b', {title: method}, method);
    this.middle.replaceChildren(make('span', {class: 'side'}, '↑ callers'), name,
                                make('span', {class: 'share'}, total > 0 ? presenter.shareText(callees, callees.root) : 'not in the current view'),
                                make('span', {class: 'side'}, 'callees ↓'));
    const half = (tree, icicle) => {
      const zoom = tree.firstChild(tree.root) || tree.root;
      return {...scene, tree, zoom, icicle, firstRow: HIDDEN_ROWS, matches: null, zoomLabel: 'of the method'};
    };
    this.callers.show(half(callers, false));
    this.callees.show(half(callees, true));
    this.share();
  }

  /** Divides the height between the halves by their number of rows. */
  share() {
    const halves = [[this.callers, 'No callers: this is the first frame of a thread.'], [this.callees, 'No calls below this method were sampled.']];
    for (const [{graph}, nothing] of halves) {
      const rows = Math.max(0, graph.layout.rows - HIDDEN_ROWS);
      graph.scroller.style.flex = rows === 0 ? '0 0 44px' : `${rows} 1 ${LEAST_HALF}px`;
      graph.scroller.dataset.empty = rows === 0 ? nothing : '';
    }
  }

  get selectedView() { return this.callers.selected >= 0 ? this.callers : this.callees; }
}
