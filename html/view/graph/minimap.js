// A small picture of the whole graph at its side, with the part on screen. It replaces the scroll bar: a click or a drag scrolls. Hidden
// while the graph fits.

import {make} from '../dom.js';
import {ROW_HEIGHT} from './rectangles.js';

/** Height of a row, if there is space. */
const TALL = 5;

export class Minimap {
  /** @param {HTMLElement} element  place of the map @param {HTMLElement} scroller of the graph */
  constructor(element, scroller) {
    this.element = element;
    this.scroller = scroller;
    this.canvas = element.appendChild(make('canvas'));
    this.context = this.canvas.getContext('2d');
    this.box = element.appendChild(make('div', {class: 'sight'}));
    element.addEventListener('pointerdown', (event) => this.beginDrag(event));
  }

  get isShown() { return !this.element.hidden; }

  setShown(isShown) {
    this.element.hidden = !isShown;
    this.scroller.classList.toggle('mapped', isShown);
  }

  /** Pixels of the map for one of the graph. */
  scaleOf({pictureHeight}) { return Math.min(TALL / ROW_HEIGHT, this.element.clientHeight / pictureHeight); }

  /** @param {import('./rectangles.js').Drawing} drawing */
  draw(drawing) {
    if (!this.isShown) return;
    const ratio = window.devicePixelRatio || 1;
    const {clientWidth: width, clientHeight: height} = this.element;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const tall = ROW_HEIGHT * this.scaleOf(drawing);
    for (let row = drawing.firstRow; row < drawing.layout.rows; row++) {
      const at = (row - drawing.firstRow) * tall;
      this.drawRow(drawing, row, {top: drawing.icicle ? at : height - at - tall, tall, width});
    }
    this.follow(drawing);
  }

  /** Draws at most one rectangle for each pixel of the width. */
  drawRow({layout, palette, shadeOf, width: whole, marks}, row, {top, tall, width}) {
    const {starts, sizes, nodes, merged, view, scale} = layout;
    let drawn = 0;
    for (let i = layout.rowStarts[row]; i < layout.rowStarts[row + 1] && drawn < width; i++) {
      const left = Math.max(drawn, (starts.values[i] - view.from) * scale * width / whole);
      const right = Math.min(width, Math.ceil((starts.values[i] + sizes.values[i] - view.from) * scale * width / whole));
      if (right <= drawn) continue;
      const node = nodes.values[i];
      const isPlain = merged.values[i] === 0 && node !== layout.tree.root;
      const isMarked = isPlain && marks && marks[layout.tree.frames[node]] !== 0;
      this.context.fillStyle = isMarked ? palette.mergedMatch : isPlain ? palette.plain[shadeOf(node)] : palette.merged;
      this.context.fillRect(left, top, right - left, Math.max(0.5, tall - (tall > 2 ? 0.5 : 0)));
      drawn = right;
    }
  }

  /** Shows which part is on screen. @param {import('./rectangles.js').Drawing} drawing */
  follow(drawing) {
    const {scroll, height, icicle, pictureHeight} = drawing;
    const scale = this.scaleOf(drawing);
    this.drawing = drawing;
    this.box.style.height = `${height * scale}px`;
    this.box.style.top = icicle ? `${scroll * scale}px` : '';
    this.box.style.bottom = icicle ? '' : `${(pictureHeight - height - scroll) * scale}px`;
  }

  beginDrag(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    const move = (moved) => this.scrollTo(moved.clientY);
    const end = () => {
      this.element.removeEventListener('pointermove', move);
      for (const type of ['pointerup', 'pointercancel']) this.element.removeEventListener(type, end);
    };
    this.element.addEventListener('pointermove', move);
    for (const type of ['pointerup', 'pointercancel']) this.element.addEventListener(type, end);
    move(event);
  }

  /** Scrolls the graph so that a place of the map is in the middle. */
  scrollTo(y) {
    const {top, bottom} = this.element.getBoundingClientRect();
    const {icicle, pictureHeight, height} = this.drawing;
    const scale = this.scaleOf(this.drawing);
    const middle = icicle ? (y - top) / scale : pictureHeight - (bottom - y) / scale;
    this.scroller.scrollTop = middle - height / 2;
  }
}
