// The time strip above the views: the rate over time. Dragging selects a range; arrow keys move its two handles. A button with a
// small picture of the rate folds the strip.

import {formatDuration, formatRate, formatShare} from '../model/text/numbers.js';

import {byId} from './dom.js';
import {drawBars} from './bars.js';
import {keep, recall} from './storage.js';

const HEIGHT = 44;
const SPARK = {width: 72, height: 14};
const FOLD_KEY = 'hearth-strip';
const LEAST_DRAG_PIXELS = 4;
const BIG_STEP = 10;
// Handles: index of the range's end that each moves.
const FROM = 0, TO = 1;

export class Timeline {
  /** @param {function(?[number, number])} onChoose with nanoseconds from and to; null: all */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.section = byId('timeline');
    this.canvas = byId('timeline-canvas');
    this.chosen = byId('timeline-chosen');
    this.handles = [byId('time-from'), byId('time-to')];
    this.handles.forEach((handle, end) => {
      handle.addEventListener('keydown', (event) => this.onKey(event, end));
      handle.addEventListener('pointerdown', (event) => this.beginDrag(event, this.edges()[1 - end]));
    });
    byId('strip').addEventListener('pointerdown', (event) => event.target === this.canvas && this.beginDrag(event));
    byId('strip').addEventListener('dblclick', () => this.onChoose(null));
    byId('time-reset').addEventListener('click', () => this.onChoose(null));
    this.opener = byId('toggle-strip');
    // null: as the range needs it.
    this.isOpen = recall(FOLD_KEY) === 'open' ? true : null;
    this.opener.addEventListener('click', () => this.toggle());
    new ResizeObserver(() => this.draw()).observe(byId('strip'));
  }

  /**
   * @param {?{all: Float64Array, kept: Float64Array, stepNs: number, durationNs: number, range: ?[number, number], valueType: Object, palette: Object}} scene
   *     all: total values; kept: after all filters except time, by bucket; null: the profile has no times
   */
  show(scene) {
    const isKnown = Boolean(scene?.all.some((value) => value > 0));
    this.opener.hidden = !isKnown;
    this.scene = isKnown ? scene : null;
    this.fold();
    if (!isKnown) return;
    this.length = scene.all.length * scene.stepNs;
    this.range = scene.range;
    this.draw();
    this.drawSpark();
    this.showText();
  }

  /** Opens or folds the strip, for this page and the next ones. */
  toggle() {
    this.isOpen = this.section.hidden;
    keep(FOLD_KEY, this.isOpen ? 'open' : 'folded');
    this.fold();
  }

  /** Moves the focus to the start of the range, in the open strip. */
  focus() {
    if (!this.scene) return;
    if (this.section.hidden) this.toggle();
    byId('time-from').focus();
  }

  /** Shows the strip if the reader has opened it, else if a range is selected. */
  fold() {
    const isOpen = Boolean(this.scene) && (this.isOpen ?? Boolean(this.scene.range));
    this.section.hidden = !isOpen;
    this.opener.setAttribute('aria-expanded', isOpen);
  }

  /** @return {number} nanoseconds of the profile; the last bucket, and the first one of a merged profile, may be partial */
  extent() {
    const {durationNs = 0, stepNs} = this.scene;
    return durationNs > this.length - 2 * stepNs && durationNs < this.length ? durationNs : this.length;
  }

  /** @return {[number, number]} the selected range, or everything */
  edges() { return this.range ?? [0, this.length]; }

  beginDrag(event, fixed) {
    if (event.button !== 0 || !this.scene) return;
    event.preventDefault();
    event.target.focus?.();
    const {target} = event;
    const began = {x: event.clientX, fixed: fixed ?? this.timeAt(event.clientX), isHandle: fixed !== undefined};
    target.setPointerCapture(event.pointerId);
    const move = (moved) => {
      if (!began.isHandle && Math.abs(moved.clientX - began.x) < LEAST_DRAG_PIXELS) return;
      this.range = this.rangeOf(began.fixed, this.timeAt(moved.clientX));
      this.placeRange();
      this.showText();
    };
    const end = (ended) => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', end);
      target.removeEventListener('pointercancel', end);
      if (ended.type === 'pointerup' && this.range !== this.scene.range) return this.onChoose(this.range);
      this.range = this.scene.range;
      return this.placeRange();
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', end);
    target.addEventListener('pointercancel', end);
  }

  timeAt(x) {
    const box = this.canvas.getBoundingClientRect();
    return Math.min(1, Math.max(0, (x - box.left) / box.width)) * this.length;
  }

  /** Rounds a range to whole buckets, at least one; null: everything. */
  rangeOf(one, other) {
    const {stepNs} = this.scene;
    const from = Math.floor(Math.min(one, other) / stepNs) * stepNs;
    const to = Math.min(this.length, Math.max(from + stepNs, Math.ceil(Math.max(one, other) / stepNs) * stepNs));
    return from <= 0 && to >= this.length ? null : [Math.min(from, this.length - stepNs), to];
  }

  onKey(event, end) {
    const step = Math.max(this.scene.stepNs, Math.round(this.length / 200 / this.scene.stepNs) * this.scene.stepNs);
    const steps = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -BIG_STEP, PageUp: BIG_STEP}[event.key];
    const range = [...this.edges()];
    if (event.key === 'Home' || event.key === 'End') {
      range[end] = event.key === 'Home' ? (end === FROM ? 0 : range[FROM]) : (end === FROM ? range[TO] : this.length);
    } else if (event.key === 'Escape' && this.range) {
      event.stopPropagation();
      return this.onChoose(null);
    } else if (steps) {
      range[end] += steps * step;
    } else {
      return undefined;
    }
    event.preventDefault();
    event.stopPropagation();
    const {stepNs} = this.scene;
    if (end === FROM) range[FROM] = Math.max(0, Math.min(range[FROM], range[TO] - stepNs));
    if (end === TO) range[TO] = Math.min(this.length, Math.max(range[TO], range[FROM] + stepNs));
    return this.onChoose(this.rangeOf(...range));
  }

  /** Positions the selected range and its handles. */
  placeRange() {
    const [from, to] = this.edges().map((time) => 100 * time / (this.length || 1));
    this.chosen.hidden = !this.range;
    this.chosen.style.left = `${from}%`;
    this.chosen.style.width = `${to - from}%`;
    this.handles[FROM].style.left = `${from}%`;
    this.handles[TO].style.left = `${to}%`;
  }

  showText() {
    const {all, kept, stepNs, valueType} = this.scene;
    const [from, to] = this.edges();
    const sumOf = (column) => {
      let sum = 0;
      for (let i = Math.floor(from / stepNs); i < Math.ceil(to / stepNs); i++) sum += column[i];
      return sum;
    };
    const whole = all.reduce((sum, value) => sum + value, 0);
    const time = this.range ? to - from : this.extent();
    const span = this.range ? `${formatDuration(from)} to ${formatDuration(to)}` : formatDuration(time);
    const rate = formatRate(sumOf(kept), time, valueType);
    byId('time-text').textContent = this.range ? `${span} · ${rate} · ${formatShare(sumOf(all), whole)} of total` : `${span} · ${rate}`;
    byId('strip-text').textContent = `${span} · ${rate}`;
    byId('time-reset').hidden = !this.range;
    this.handles.forEach((handle, end) => {
      handle.setAttribute('aria-valuemin', 0);
      handle.setAttribute('aria-valuemax', Math.round(this.length / 1e6));
      handle.setAttribute('aria-valuenow', Math.round(this.edges()[end] / 1e6));
      handle.setAttribute('aria-valuetext', formatDuration(this.edges()[end]));
    });
  }

  draw() {
    const width = this.canvas.clientWidth;
    if (!this.scene || width === 0) return;
    drawBars(this.canvas, {width, height: HEIGHT}, this.scene);
    this.placeRange();
  }

  drawSpark() { drawBars(byId('sparkline'), SPARK, this.scene); }
}
