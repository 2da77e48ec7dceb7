// The flame graph widget: lays out the visible part, animates zooming, and finds the rectangle at the pointer or the selection.
// Listeners handle picks and hovers.

import {Layout, startOf} from '../../model/trees/layout.js';

import {make} from '../dom.js';
import {Painter} from './painter.js';
import {isPrinting} from '../printing.js';
import {ROW_HEIGHT, rowAt, rowTop} from './rectangles.js';

const MOVE_MILLISECONDS = 220;
const LONG_TOUCH_MILLISECONDS = 550;
const TOUCH_SLIP_PIXELS = 8;
/** Largest canvas size of browsers. */
export const MOST_PIXELS = 16_384;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * @typedef {Object} Target  the rectangle at a point
 * @property {number} node  of the tree shown; for a merged rectangle the parent of the merged frames
 * @property {number} merged  number of merged frames that are too narrow to draw, or 0
 * @property {number} size  value
 * @property {DOMRect} box  on the screen
 */

export class Graph {
  /**
   * @param {HTMLElement} scroller @param {string} label of the picture for screen readers
   * @param {{onPick: Function, onHover: Function, onMenu: Function, onScroll: Function}} listeners with (Target or null, event)
   * @param {?import('./minimap.js').Minimap} map
   */
  constructor(scroller, label, listeners, map) {
    this.scroller = scroller;
    this.map = map;
    this.canvas = make('canvas', {role: 'img', 'aria-label': label});
    this.picture = scroller.appendChild(make('div', {class: 'picture'}, this.canvas));
    this.hoverBox = this.picture.appendChild(make('div', {class: 'box hover', hidden: ''}));
    this.selectedBox = this.picture.appendChild(make('div', {class: 'box selected', hidden: ''}));
    this.painter = new Painter(this.canvas);
    this.layout = new Layout();
    this.selected = -1;
    // Target range of the running animation.
    this.goal = null;
    this.listeners = listeners;
    this.scroller.addEventListener('scroll', () => this.onScroll());
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', (event) => this.hover(event));
    this.canvas.addEventListener('click', (event) => listeners.onPick(this.targetAt(event), event));
    this.canvas.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      listeners.onMenu(this.targetAt(event), event);
    });
    this.canvas.addEventListener('pointerdown', (event) => event.pointerType === 'touch' && this.awaitLongTouch(event));
  }

  /** Opens the menu on a long touch, in browsers that send no contextmenu event. */
  awaitLongTouch(event) {
    const timer = setTimeout(() => {
      ignoreNextClick();
      this.listeners.onMenu(this.targetAt(event), event);
    }, LONG_TOUCH_MILLISECONDS);
    const stop = (later) => {
      const slip = Math.hypot(later.clientX - event.clientX, later.clientY - event.clientY);
      if (later.type === 'pointermove' && slip < TOUCH_SLIP_PIXELS) return;
      clearTimeout(timer);
      for (const type of ['pointermove', 'pointerup', 'pointercancel']) this.canvas.removeEventListener(type, stop);
    };
    for (const type of ['pointermove', 'pointerup', 'pointercancel']) this.canvas.addEventListener(type, stop);
  }

  /**
   * @param {Object} scene tree, zoom (node), byWidth, icicle, matches (StackMatches or null, of the tree shown), mask (of the search, or null),
   *     keepsRows (another tree of the same program: do not scroll), and the Drawing's palette, shadeOf, nameOf, zoomRow, hatchingOf,
   *     hasPackage, marks, rootLabel, firstRow (else 0), hidesRows (rows before the first one cannot be selected)
   */
  show(scene) {
    const before = this.scene;
    this.scene = scene;
    const from = startOf(scene.tree, scene.zoom, scene.byWidth);
    const sameTree = before?.tree === scene.tree && before.byWidth === scene.byWidth;
    const sameShape = before && shapeOf(before.tree) === shapeOf(scene.tree) && before.byWidth === scene.byWidth;
    const sameRows = before?.icicle === scene.icicle && (before.firstRow ?? 0) === this.firstRow;
    if ((!sameShape && !scene.keepsRows) || !sameRows) this.anchor = this.anchorOf(scene.zoomRow);
    if (!sameShape) this.selected = -1;
    const anchor = sameShape && before.zoom !== scene.zoom ? this.anchorToSee(scene.zoomRow) : this.anchor;
    const goal = {from, to: from + (scene.tree.totals[scene.zoom] || 1), anchor};
    if (sameTree && this.range.from === goal.from && this.range.to === goal.to) {
      this.arrange();
    } else if (sameTree && !reducedMotion.matches) {
      this.moveTo(goal);
    } else {
      this.jumpTo(goal);
    }
    // Only here: the picture is wider without the map, and may be higher then.
    if (this.map?.isShown && !this.goal && this.pictureHeight <= this.scroller.clientHeight) this.map.setShown(false);
  }

  /** @return {number} scroll distance from the root's edge that shows a row in the middle or nearer to the root */
  anchorOf(row) { return Math.max(0, (row - this.firstRow + 1) * ROW_HEIGHT - this.scroller.clientHeight / 2); }

  /** Returns the smallest scroll distance that leaves space for callees of the row's frames. */
  anchorToSee(row) {
    const space = this.scroller.clientHeight / 3;
    const distance = (row - this.firstRow) * ROW_HEIGHT;
    const below = distance - this.anchor;
    return below >= 0 && below <= space ? this.anchor : Math.max(0, distance - space);
  }

  jumpTo({from, to, anchor}) {
    cancelAnimationFrame(this.moving);
    this.goal = null;
    this.range = {from, to};
    this.anchor = anchor;
    this.arrange();
  }

  moveTo(goal) {
    cancelAnimationFrame(this.moving);
    this.goal = goal;
    const start = {...this.range, anchor: this.anchor};
    const spans = [start.to - start.from, goal.to - goal.from];
    let began;
    const step = (now) => {
      began ??= now;
      const time = Math.min(1, (now - began) / MOVE_MILLISECONDS);
      if (time === 1) return this.jumpTo(goal);
      const eased = 1 - (1 - time) ** 3;
      // The span shrinks by a constant factor per frame, so that a deep zoom looks as smooth as a small one.
      const span = spans[0] * (spans[1] / spans[0]) ** eased;
      const way = spans[0] === spans[1] ? eased : (spans[0] - span) / (spans[0] - spans[1]);
      const from = start.from + (goal.from - start.from) * way;
      this.range = {from, to: from + span};
      this.anchor = Math.round(start.anchor + (goal.anchor - start.anchor) * eased);
      this.arrange();
      this.moving = requestAnimationFrame(step);
    };
    this.moving = requestAnimationFrame(step);
  }

  resize() {
    if (this.scene && this.scroller.clientWidth > 0) this.arrange();
  }

  /** Lays out the range. Rows keep their distance from the root's edge. */
  arrange() {
    const {tree, byWidth, icicle, matches} = this.scene;
    const width = this.picture.clientWidth;
    const isHit = matches && ((node) => matches.within(node));
    this.layout.arrange(tree, {...this.range, width, byWidth, isHit});
    const ownHeight = (this.layout.rows - this.firstRow) * ROW_HEIGHT;
    const viewHeight = isPrinting() ? Math.min(ownHeight, MOST_PIXELS / devicePixelRatio) : this.scroller.clientHeight;
    this.pictureHeight = Math.max(ownHeight, viewHeight);
    this.picture.style.height = `${this.pictureHeight}px`;
    this.canvas.style.height = `${viewHeight}px`;
    this.scroller.scrollTop = icicle ? this.anchor : this.pictureHeight - viewHeight - this.anchor;
    this.arrangedHeight = viewHeight;
    this.placeBox(this.selectedBox, this.selected < 0 ? -1 : this.layout.findNode(this.selected));
    this.hoverBox.hidden = true;
    this.paint();
    if (!this.map || this.goal) return;
    if (ownHeight > viewHeight && !this.map.isShown) this.map.setShown(true);
    this.map.draw(this.drawing());
  }

  get firstRow() { return this.scene.firstRow ?? 0; }

  /** Shows the root's end of a picture that is too high for a canvas. */
  get scrollWhenPrinting() { return this.scene.icicle ? 0 : this.pictureHeight - this.arrangedHeight; }

  drawing() {
    return {
      ...this.scene,
      firstRow: this.firstRow,
      layout: this.layout,
      width: this.picture.clientWidth,
      height: this.arrangedHeight,
      scroll: isPrinting() ? this.scrollWhenPrinting : this.scroller.scrollTop,
      pictureHeight: this.pictureHeight,
    };
  }

  paint() {
    cancelAnimationFrame(this.painting);
    this.painter.draw(this.drawing());
  }

  /** Stores the scroll distance from the root's edge. */
  keepAnchor() {
    const {icicle, scroll, pictureHeight, height} = this.drawing();
    this.anchor = icicle ? scroll : pictureHeight - height - scroll;
  }

  onScroll() {
    // While resizing or printing, the browser scrolls, not the reader.
    if (isPrinting() || this.scroller.clientHeight !== this.arrangedHeight) return;
    const {anchor} = this;
    this.keepAnchor();
    if (anchor !== this.anchor) {
      // The frame under the pointer has moved.
      this.hoverBox.hidden = true;
      this.listeners.onScroll();
    }
    this.map?.follow(this.drawing());
    cancelAnimationFrame(this.painting);
    this.painting = requestAnimationFrame(() => this.paint());
  }

  hover(event) {
    const rectangle = event.type === 'pointerleave' ? -1 : this.rectangleAt(event);
    this.placeBox(this.hoverBox, rectangle);
    this.canvas.style.cursor = rectangle < 0 ? '' : 'pointer';
    this.listeners.onHover(this.target(rectangle), event);
  }

  rectangleAt(event) {
    if (!this.scene) return -1;
    const row = rowAt(event.offsetY + this.scroller.scrollTop, this.drawing());
    return this.layout.find(row, this.range.from + event.offsetX / this.layout.scale);
  }

  targetAt(event) { return this.target(this.rectangleAt(event)); }

  /** @return {?Target} */
  target(rectangle) {
    if (rectangle < 0) return null;
    const {nodes, merged, sizes} = this.layout;
    const {left, top, width} = this.boxOf(rectangle);
    const host = this.picture.getBoundingClientRect();
    return {
      node: nodes.values[rectangle],
      merged: merged.values[rectangle],
      size: sizes.values[rectangle],
      box: new DOMRect(host.left + left, host.top + top, width, ROW_HEIGHT),
    };
  }

  boxOf(rectangle) {
    const {starts, sizes, scale} = this.layout;
    const edge = (value) => Math.min(this.picture.clientWidth, Math.max(0, (value - this.range.from) * scale));
    const left = edge(starts.values[rectangle]);
    const width = edge(starts.values[rectangle] + sizes.values[rectangle]) - left;
    return {left, width, top: rowTop(this.layout.rowOf(rectangle), this.drawing())};
  }

  placeBox(element, rectangle) {
    element.hidden = rectangle < 0;
    if (rectangle < 0) return;
    const {left, top, width} = this.boxOf(rectangle);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    element.style.width = `${Math.max(width, 2)}px`;
  }

  /** Selects a node and scrolls to its row. @return {?Target} null if it is not drawn */
  select(node) {
    // End a running animation, because visibility is known for its target only.
    if (this.goal) this.jumpTo(this.goal);
    const found = node < 0 ? -1 : this.layout.findNode(node);
    const rectangle = found < this.firstRectangle ? -1 : found;
    this.selected = rectangle < 0 ? -1 : node;
    this.placeBox(this.selectedBox, rectangle);
    if (rectangle < 0) return null;
    this.scrollTo(rectangle);
    return this.target(rectangle);
  }

  /** Returns the first rectangle that can be selected. */
  get firstRectangle() { return this.scene?.hidesRows ? this.layout.rowStarts[this.firstRow] : 0; }

  scrollTo(rectangle) {
    const {top} = this.boxOf(rectangle);
    const {scrollTop, clientHeight} = this.scroller;
    const margin = 2 * ROW_HEIGHT;
    if (top < scrollTop + margin) this.scroller.scrollTop = top - margin;
    if (top > scrollTop + clientHeight - margin - ROW_HEIGHT) {
      this.scroller.scrollTop = top - clientHeight + margin + ROW_HEIGHT;
    }
    this.keepAnchor();
  }

  /** Scrolls to the first match, unless one is visible. */
  revealMatch() {
    if (!this.scene?.mask) return;
    if (this.goal) this.jumpTo(this.goal);
    const found = this.matchingRectangles();
    if (found.length === 0 || found.some((rectangle) => this.isInSight(rectangle))) return;
    const {values} = this.layout.nodes;
    this.scrollTo(found.reduce((first, rectangle) => values[rectangle] < values[first] ? rectangle : first));
  }

  /** Returns matching rectangles; if none is wide enough to draw, the merged rectangles that contain matches. */
  matchingRectangles() {
    const {tree, mask} = this.scene;
    const {nodes, merged, hits} = this.layout;
    const first = this.firstRectangle;
    const all = Array.from({length: this.layout.count - first}, (_, i) => first + i);
    const found = all.filter((i) => merged.values[i] === 0 && nodes.values[i] !== tree.root && mask[tree.frames[nodes.values[i]]]);
    return found.length > 0 ? found : all.filter((i) => merged.values[i] !== 0 && hits.values[i]);
  }

  isInSight(rectangle) {
    const {top} = this.boxOf(rectangle);
    const {scrollTop, clientHeight} = this.scroller;
    return top >= scrollTop && top + ROW_HEIGHT <= scrollTop + clientHeight;
  }

  /** @param {'in'|'out'|'left'|'right'} direction @return {?Target} the new selection */
  selectInDirection(direction) {
    const rectangle = this.selected < 0 ? -1 : this.layout.findNode(this.selected);
    const {nodes, rowStarts} = this.layout;
    if (rectangle < 0) return this.select(this.scene.zoom) ?? this.select(nodes.values[rowStarts[this.firstRow]]);
    const {tree} = this.scene;
    const {selected} = this;
    if (direction === 'out') return this.select(tree.parents[selected]) ?? this.select(selected);
    if (direction === 'in') return this.select(this.widestChild(rectangle));
    return this.select(this.neighbour(rectangle, direction === 'right' ? 1 : -1));
  }

  widestChild(rectangle) {
    const {nodes, merged, sizes, rowStarts} = this.layout;
    const row = this.layout.rowOf(rectangle) + 1;
    let widest = -1;
    for (let i = rowStarts[row]; i < (rowStarts[row + 1] ?? 0); i++) {
      const isChild = merged.values[i] === 0 && this.scene.tree.parents[nodes.values[i]] === this.selected;
      if (isChild && (widest < 0 || sizes.values[i] > sizes.values[widest])) widest = i;
    }
    return widest < 0 ? this.selected : nodes.values[widest];
  }

  neighbour(rectangle, step) {
    const {nodes, merged, rowStarts} = this.layout;
    const row = this.layout.rowOf(rectangle);
    let i = rectangle + step;
    while (i >= rowStarts[row] && i < rowStarts[row + 1] && merged.values[i] !== 0) i += step;
    return i >= rowStarts[row] && i < rowStarts[row + 1] ? nodes.values[i] : this.selected;
  }

  /**
   * @return {number[]} visible outermost matches, from the root's row on, left to
   *     right
   */
  outermostMatches() {
    const {tree, mask} = this.scene;
    const found = [];
    if (mask === null) return found;
    const {nodes, merged} = this.layout;
    for (let i = 0; i < this.layout.count; i++) {
      if (merged.values[i] !== 0) continue;
      let node = nodes.values[i];
      if (node === tree.root || !mask[tree.frames[node]]) continue;
      do node = tree.parents[node];
      while (node !== tree.root && !mask[tree.frames[node]]);
      if (node === tree.root) found.push(nodes.values[i]);
    }
    return found;
  }
}

/** Ignores the click that some browsers send when the finger leaves after a long touch. */
function ignoreNextClick() {
  const ignore = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', ignore, {capture: true, once: true});
  addEventListener('pointerdown', () => removeEventListener('click', ignore, {capture: true}), {capture: true, once: true});
}

/** Trees of the same shape have the same nodes with other values; a tree without a shape is its own. */
function shapeOf(tree) { return tree.shape ?? tree; }
