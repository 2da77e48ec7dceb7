// The flame graph as a thing to look at and point at: keeps a layout of what is in view, moves between views, and tells
// which rectangle the pointer or the keyboard is on. What a pick or a hover leads to is decided by whoever made it.

import {Layout, startOf} from '../model/layout.js';

import {make} from './dom.js';
import {Painter} from './painter.js';
import {isOnPaper} from './paper.js';
import {ROW_HEIGHT, rowAt, rowTop} from './rectangles.js';

const MOVE_MILLISECONDS = 220;
const LONG_TOUCH_MILLISECONDS = 550;
const TOUCH_SLIP_PIXELS = 8;
/** What browsers let a canvas be. */
export const MOST_PIXELS = 16_384;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * @typedef {Object} Target  what lies at a point
 * @property {number} node  of the tree that is shown; for a merged rectangle the parent of what is merged
 * @property {number} merged  0, or how many frames too narrow to be drawn
 * @property {number} size  value
 * @property {DOMRect} box  on the screen
 */

export class Graph {
  /**
   * @param {HTMLElement} scroller @param {string} label of the picture, for screen readers
   * @param {{onPick: Function, onHover: Function, onMenu: Function, onScroll: Function}} listeners with (Target or null, event)
   */
  constructor(scroller, label, listeners) {
    this.scroller = scroller;
    this.canvas = make('canvas', {role: 'img', 'aria-label': label});
    this.picture = scroller.appendChild(make('div', {class: 'picture'}, this.canvas));
    this.hoverBox = this.picture.appendChild(make('div', {class: 'box hover', hidden: ''}));
    this.selectedBox = this.picture.appendChild(make('div', {class: 'box selected', hidden: ''}));
    this.painter = new Painter(this.canvas);
    this.layout = new Layout();
    this.selected = -1;
    // Where it is moving to.
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

  /** For browsers that make no context menu of it. */
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
   * @param {Object} sight tree, zoom (node), byWidth, icicle, matches (StackMatches or null, of the tree shown), mask (of the search, or null),
   *     keepsRows (another tree, but of the same program: do not scroll), and the Scene's palette, shadeOf, nameOf, zoomRow, hatchingOf,
   *     hasPackage, marks, rootLabel, firstRow (else 0)
   */
  show(sight) {
    const before = this.sight;
    this.sight = sight;
    const from = startOf(sight.tree, sight.zoom, sight.byWidth);
    const sameTree = before?.tree === sight.tree && before.byWidth === sight.byWidth;
    const sameShape = before && shapeOf(before.tree) === shapeOf(sight.tree) && before.byWidth === sight.byWidth;
    if ((!sameShape && !sight.keepsRows) || before?.icicle !== sight.icicle) this.anchor = this.anchorOf(sight.zoomRow);
    if (!sameShape) this.selected = -1;
    const anchor = sameShape && before.zoom !== sight.zoom ? this.anchorToSee(sight.zoomRow) : this.anchor;
    const goal = {from, to: from + (sight.tree.totals[sight.zoom] || 1), anchor};
    if (sameTree && this.range.from === goal.from && this.range.to === goal.to) {
      this.arrange();
    } else if (sameTree && !reducedMotion.matches) {
      this.moveTo(goal);
    } else {
      this.jumpTo(goal);
    }
  }

  /** @return {number} how far to scroll from the root's edge, so that a row is in the middle or nearer to the root */
  anchorOf(row) { return Math.max(0, (row + 1) * ROW_HEIGHT - this.scroller.clientHeight / 2); }

  /** So that there is room for what the row's frames call; the least that does. */
  anchorToSee(row) {
    const room = this.scroller.clientHeight / 3;
    const below = row * ROW_HEIGHT - this.anchor;
    return below >= 0 && below <= room ? this.anchor : Math.max(0, row * ROW_HEIGHT - room);
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
      // The span shrinks by the same factor each moment: so a deep zoom looks as even as a small one.
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
    if (this.sight && this.scroller.clientWidth > 0) this.arrange();
  }

  /** Lays out the range anew; the rows stay where they are, seen from the root's edge. */
  arrange() {
    const {tree, byWidth, icicle, matches} = this.sight;
    const width = this.picture.clientWidth;
    const isHit = matches && ((node) => matches.within(node));
    this.layout.arrange(tree, {...this.range, width, byWidth, isHit});
    const ownHeight = (this.layout.rows - this.firstRow) * ROW_HEIGHT;
    const viewHeight = isOnPaper() ? Math.min(ownHeight, MOST_PIXELS / devicePixelRatio) : this.scroller.clientHeight;
    this.pictureHeight = Math.max(ownHeight, viewHeight);
    this.picture.style.height = `${this.pictureHeight}px`;
    this.canvas.style.height = `${viewHeight}px`;
    this.scroller.scrollTop = icicle ? this.anchor : this.pictureHeight - viewHeight - this.anchor;
    this.arrangedHeight = viewHeight;
    this.placeBox(this.selectedBox, this.selected < 0 ? -1 : this.layout.findNode(this.selected));
    this.hoverBox.hidden = true;
    this.paint();
  }

  get firstRow() { return this.sight.firstRow ?? 0; }

  /** The root's end is what there is of a picture that is too high. */
  get scrollOnPaper() { return this.sight.icicle ? 0 : this.pictureHeight - this.arrangedHeight; }

  scene() {
    return {
      ...this.sight,
      firstRow: this.firstRow,
      layout: this.layout,
      width: this.picture.clientWidth,
      height: this.arrangedHeight,
      scroll: isOnPaper() ? this.scrollOnPaper : this.scroller.scrollTop,
      pictureHeight: this.pictureHeight,
    };
  }

  paint() {
    cancelAnimationFrame(this.painting);
    this.painter.draw(this.scene());
  }

  /** How far it is scrolled from the root's edge. */
  keepAnchor() {
    const {icicle, scroll, pictureHeight, height} = this.scene();
    this.anchor = icicle ? scroll : pictureHeight - height - scroll;
  }

  onScroll() {
    // While the window changes its size, or prints, scrolling is the browser's doing and not the reader's.
    if (isOnPaper() || this.scroller.clientHeight !== this.arrangedHeight) return;
    const {anchor} = this;
    this.keepAnchor();
    if (anchor !== this.anchor) {
      // What was under the pointer is elsewhere.
      this.hoverBox.hidden = true;
      this.listeners.onScroll();
    }
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
    if (!this.sight) return -1;
    const row = rowAt(event.offsetY + this.scroller.scrollTop, this.scene());
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
    return {left, width, top: rowTop(this.layout.rowOf(rectangle), this.scene())};
  }

  placeBox(element, rectangle) {
    element.hidden = rectangle < 0;
    if (rectangle < 0) return;
    const {left, top, width} = this.boxOf(rectangle);
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    element.style.width = `${Math.max(width, 2)}px`;
  }

  /** Marks a node and brings its row into view. @return {?Target} null when it is too narrow to be seen */
  select(node) {
    // While the picture moves, only where it moves to is it known what can be seen.
    if (this.goal) this.jumpTo(this.goal);
    const rectangle = node < 0 ? -1 : this.layout.findNode(node);
    this.selected = rectangle < 0 ? -1 : node;
    this.placeBox(this.selectedBox, rectangle);
    if (rectangle < 0) return null;
    const {top} = this.boxOf(rectangle);
    const {scrollTop, clientHeight} = this.scroller;
    const margin = 2 * ROW_HEIGHT;
    if (top < scrollTop + margin) this.scroller.scrollTop = top - margin;
    if (top > scrollTop + clientHeight - margin - ROW_HEIGHT) {
      this.scroller.scrollTop = top - clientHeight + margin + ROW_HEIGHT;
    }
    this.keepAnchor();
    return this.target(rectangle);
  }

  /** @param {'in'|'out'|'left'|'right'} direction @return {?Target} what is selected then */
  selectBeside(direction) {
    const rectangle = this.selected < 0 ? -1 : this.layout.findNode(this.selected);
    if (rectangle < 0) return this.select(this.sight.zoom);
    const {tree} = this.sight;
    if (direction === 'out') return this.select(tree.parents[this.selected]);
    if (direction === 'in') return this.select(this.widestChild(rectangle));
    return this.select(this.neighbour(rectangle, direction === 'right' ? 1 : -1));
  }

  widestChild(rectangle) {
    const {nodes, merged, sizes, rowStarts} = this.layout;
    const row = this.layout.rowOf(rectangle) + 1;
    let widest = -1;
    for (let i = rowStarts[row]; i < (rowStarts[row + 1] ?? 0); i++) {
      const isChild = merged.values[i] === 0 && this.sight.tree.parents[nodes.values[i]] === this.selected;
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
   * @return {number[]} nodes in view that match and lie in no other that matches, from the root's row on, left to
   *     right
   */
  outermostMatches() {
    const {tree, mask} = this.sight;
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

/** They may make a click of the finger that leaves, on whatever lies under it then. */
function ignoreNextClick() {
  const ignore = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', ignore, {capture: true, once: true});
  addEventListener('pointerdown', () => removeEventListener('click', ignore, {capture: true}), {capture: true, once: true});
}

/** Trees of one shape have the same nodes, with other values; one without is its own. */
function shapeOf(tree) { return tree.shape ?? tree; }
