// Draws rectangles on a canvas: fills, hatching, labels.

import {FONT_SIZE, forEachRectangle, PADDING, ROW_HEIGHT} from './rectangles.js';

const ASCII = /^[\x20-\x7e…]*$/;
const UNDERLINE = 3;

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', {alpha: false});
    // It is black until the first drawing.
    this.context.fillStyle = getComputedStyle(document.body).backgroundColor;
    this.context.fillRect(0, 0, canvas.width, canvas.height);
    this.font = `${FONT_SIZE}px ${getComputedStyle(canvas).fontFamily}`;
  }

  /** @param {import('./rectangles.js').Drawing} drawing @param {number} ratio  canvas pixels per CSS pixel */
  draw(drawing, ratio = window.devicePixelRatio || 1) {
    const {canvas, context} = this;
    const width = Math.round(drawing.width * ratio);
    const height = Math.round(drawing.height * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = drawing.palette.page;
    context.fillRect(0, 0, drawing.width, drawing.height);
    context.textBaseline = 'middle';
    this.text = drawing.palette.text;
    this.makeHatchings(this.text);
    forEachRectangle(drawing, {pixel: 1 / ratio, characterWidth: this.characterWidth()}, (rectangle) => this.drawRectangle(rectangle));
  }

  characterWidth() {
    this.context.font = this.font;
    return this.context.measureText('MMMMMMMMMM').width / 10;
  }

  /** Creates the hatching patterns, once per colour. */
  makeHatchings(colour) {
    if (this.hatchingColour === colour) return;
    this.hatchingColour = colour;
    this.hatchings = {rising: makeHatching(this.context, colour, 1), falling: makeHatching(this.context, colour, -1)};
  }

  drawRectangle({left, top, width, fill, underline, hatching, label, isFaded}) {
    const {context} = this;
    const height = ROW_HEIGHT - 1;
    context.fillStyle = fill;
    context.fillRect(left, top, width, height);
    if (hatching) {
      context.fillStyle = this.hatchings[hatching];
      context.fillRect(left, top, width, height);
    }
    if (underline) {
      context.fillStyle = underline;
      context.fillRect(left, top + height - UNDERLINE, width, UNDERLINE);
    }
    if (label === '') return;
    context.fillStyle = this.text;
    context.globalAlpha = isFaded ? 0.75 : 1;
    const middle = top + height / 2 + 0.5;
    // Only ASCII has the expected width; other text is squeezed to fit.
    if (ASCII.test(label)) {
      context.fillText(label, left + PADDING, middle);
    } else {
      context.fillText(label, left + PADDING, middle, width - 2 * PADDING + 2);
    }
    context.globalAlpha = 1;
  }
}

/** @param {1|-1} slope  1: rising to the right */
function makeHatching(context, colour, slope) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const stripes = tile.getContext('2d');
  stripes.strokeStyle = colour;
  stripes.globalAlpha = 0.16;
  stripes.lineWidth = 1.4;
  for (const offset of [-6, 0, 6]) {
    stripes.moveTo(offset - 1, slope > 0 ? 7 : -1);
    stripes.lineTo(offset + 7, slope > 0 ? -1 : 7);
  }
  stripes.stroke();
  return context.createPattern(tile, 'repeat');
}
