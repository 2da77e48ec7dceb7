// Three lines over time: CPU, allocation, GC. Dragging selects a range of whole points.

import {LANES, axisOf, domainOf, pointAt, pointsIn, runsOf, snapped, stairsOf, sumOf, ticksOf} from '../model/store_line.js';

const SVG = 'http://www.w3.org/2000/svg';
// Heights from top to bottom: labels of the sides, lanes with titles, clock.
const WORDS = 12, TITLE = 20, LANE = 52, GAP = 10, CLOCK = 22;
const LEFT = 70, RIGHT = 2;
const TICK_PIXELS = 90;
const LEAST_DRAG_PIXELS = 4;

function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const topOf = (lane) => WORDS + lane * (TITLE + LANE + GAP) + TITLE;
const BOTTOM = topOf(LANES.length - 1) + LANE;

export class StoreChart {
  /**
   * @param {HTMLElement} host @param {{choose: function(Range, {isDrag: boolean, isOther: boolean}), look: function(?Range)}} listeners
   */
  constructor(host, listeners) {
    this.host = host;
    this.listeners = listeners;
    this.svg = host.querySelector('svg');
    this.svg.setAttribute('height', BOTTOM + CLOCK);
    this.points = [];
    this.sides = [];
    this.svg.addEventListener('pointerdown', (event) => this.beginDrag(event));
    this.svg.addEventListener('pointermove', (event) => this.point(event));
    this.svg.addEventListener('pointerleave', () => this.leave());
    new ResizeObserver(() => this.draw()).observe(host);
  }

  /** @param {import('../model/store_line.js').Point[]} points */
  show(points) {
    this.points = points;
    this.draw();
  }

  /** @param {{range: import('../model/store.js').Range, word: string}[]} sides  the selected ranges with their labels */
  choose(sides) {
    this.sides = sides;
    this.placeSides();
    this.showFigures(null);
  }

  get isDragged() { return Boolean(this.dragged); }

  draw() {
    this.width = this.host.clientWidth;
    const hasLine = this.points.length > 0 && this.width > LEFT + RIGHT;
    this.host.hidden = this.points.length === 0;
    if (!hasLine) return this.svg.replaceChildren();
    this.domain = domainOf(this.points);
    const runs = runsOf(this.points);
    this.figures = LANES.map((lane, i) => draw('text', {class: 'lane-value', x: this.width - RIGHT, y: topOf(i) - 7}));
    this.sideHost = draw('g');
    this.cursor = draw('line', {class: 'cursor', y1: WORDS, y2: BOTTOM, visibility: 'hidden'});
    this.svg.replaceChildren(
        ...this.grid(), this.sideHost, ...LANES.flatMap((lane, i) => this.lane(lane, i, runs)), ...this.figures, this.cursor);
    this.placeSides();
    return this.showFigures(null);
  }

  x(time) { return LEFT + (time - this.domain.from) / (this.domain.to - this.domain.from) * (this.width - LEFT - RIGHT); }

  timeAt(clientX) {
    const x = clientX - this.svg.getBoundingClientRect().left;
    const part = Math.min(1, Math.max(0, (x - LEFT) / (this.width - LEFT - RIGHT)));
    return this.domain.from + part * (this.domain.to - this.domain.from);
  }

  grid() {
    const ticks = ticksOf(this.domain, (this.width - LEFT - RIGHT) / TICK_PIXELS);
    return ticks.flatMap(({at, label}) => {
      const x = this.x(at);
      const isAtEdge = x > this.width - TICK_PIXELS / 3;
      return [
        draw('line', {class: 'tick', x1: x, x2: x, y1: WORDS + TITLE, y2: BOTTOM + 4}),
        draw('text', {class: isAtEdge ? 'clock last' : 'clock', x: isAtEdge ? this.width - RIGHT : x, y: BOTTOM + 17}, label),
      ];
    });
  }

  lane(lane, i, runs) {
    const top = topOf(i), bottom = top + LANE;
    const most = axisOf(lane, this.points);
    const y = (value) => bottom - value / most * LANE;
    const axis = (value, at) => draw('text', {class: 'axis', x: LEFT - 8, y: at}, lane.axis(value));
    const edge = (at, name) => draw('line', {class: name, x1: LEFT, x2: this.width - RIGHT, y1: at, y2: at});
    const stairs = runs.map((run) => stairsOf(run, lane, (time) => this.x(time), y));
    return [
      edge(top, 'most'), edge(bottom, 'none'), axis(most, top + 4), axis(0, bottom + 4),
      draw('text', {class: 'lane', x: LEFT, y: top - 7}, lane.label),
      ...stairs.map(({area}) => draw('path', {class: `area ${lane.id}`, d: area})),
      ...stairs.map(({line}) => draw('path', {class: `line ${lane.id}`, d: line})),
    ];
  }

  placeSides() {
    if (!this.sideHost) return;
    const {from, to} = this.domain;
    const shown = this.sides.filter(({range}) => range.from < to && range.to > from);
    this.sideHost.replaceChildren(...shown.flatMap(({range, word}) => {
      const left = this.x(Math.max(from, range.from)), right = this.x(Math.min(to, range.to));
      const width = Math.max(2, right - left);
      return [
        draw('rect', {class: `side ${word}`, x: left, y: WORDS + 3, width, height: BOTTOM - WORDS - 3, rx: 2}),
        draw('text', {class: `word ${word}`, x: left + width / 2, y: WORDS - 3}, word),
      ];
    }));
  }

  /** Shows the lanes' values at a point, or of the selection, or of everything. */
  showFigures(point) {
    if (!this.figures || this.points.length === 0) return;
    const range = this.sides.at(-1)?.range;
    const within = range ? pointsIn(this.points, range) : [];
    const sum = point ?? sumOf(within.length > 0 ? within : this.points);
    LANES.forEach((lane, i) => { this.figures[i].textContent = lane.format(lane.valueOf(sum)); });
  }

  point(event) {
    if (this.points.length === 0 || this.dragged?.isDrag) return;
    const point = pointAt(this.points, this.timeAt(event.clientX));
    const middle = this.x(point.begin_ms + point.duration_ms / 2);
    this.cursor.setAttribute('x1', middle);
    this.cursor.setAttribute('x2', middle);
    this.cursor.setAttribute('visibility', 'visible');
    this.showFigures(point);
    this.listeners.look(domainOf([point]));
  }

  leave() {
    this.cursor?.setAttribute('visibility', 'hidden');
    this.showFigures(null);
    this.listeners.look(null);
  }

  beginDrag(event) {
    if (event.button !== 0 || this.points.length === 0) return;
    event.preventDefault();
    this.host.focus({preventScroll: true});
    const fixed = this.timeAt(event.clientX);
    const sides = this.sides;
    const isOther = event.shiftKey;
    this.dragged = {x: event.clientX, range: snapped(this.points, {from: fixed, to: fixed + 1}), isDrag: false};
    this.svg.setPointerCapture(event.pointerId);
    const move = (moved) => {
      if (Math.abs(moved.clientX - this.dragged.x) < LEAST_DRAG_PIXELS && !this.dragged.isDrag) return;
      const time = this.timeAt(moved.clientX);
      this.dragged.isDrag = true;
      this.dragged.range = snapped(this.points, {from: Math.min(fixed, time), to: Math.max(fixed, time)});
      this.choose(this.dragged.range ? [...(isOther ? sides.slice(-1) : []), {range: this.dragged.range, word: 'chosen'}] : sides);
      this.listeners.look(this.dragged.range);
    };
    const end = (ended) => {
      const {range, isDrag} = this.dragged;
      this.dragged = null;
      for (const [type, listener] of listeners) this.svg.removeEventListener(type, listener);
      if (ended.type === 'pointercancel' || !range) return this.choose(sides);
      return this.listeners.choose(range, {isDrag, isOther});
    };
    const listeners = [['pointermove', move], ['pointerup', end], ['pointercancel', end]];
    for (const [type, listener] of listeners) this.svg.addEventListener(type, listener);
  }
}
