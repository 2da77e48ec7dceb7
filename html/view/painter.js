// Draws a layout on a canvas: fills, hatching, labels. It knows rectangles and colours, not what a click means.

import {fitLabel} from '../model/labels.js';

export const ROW_HEIGHT = 20;
const FONT_SIZE = 11.5;
const PADDING = 5;
const ASCII = /^[\x20-\x7e…]*$/;

/**
 * @typedef {Object} Scene
 * @property {import('../model/layout.js').Layout} layout
 * @property {number} width @property {number} height  pixels of the canvas
 * @property {number} scroll  pixels from the top of the whole picture to the canvas's top
 * @property {number} pictureHeight
 * @property {boolean} icicle
 * @property {number} zoomRow  row of the frame that fills the width: those before it are its callers
 * @property {Object} palette  of makePalette()
 * @property {function(number): number} shadeOf  node -> colour in the palette
 * @property {function(number): string} nameOf  frame -> name
 * @property {function(number): string} hatchingOf  node -> 'rising', 'falling' or ''
 * @property {function(number): boolean} hasPackage  see kinds.js
 * @property {?Uint8Array} mask  frame -> 1 when it is searched for
 * @property {string} rootLabel
 */

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', {alpha: false});
    this.font = `${FONT_SIZE}px ${getComputedStyle(canvas).fontFamily}`;
  }

  /** @param {Scene} scene */
  draw(scene) {
    const {canvas, context} = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(scene.width * ratio);
    const height = Math.round(scene.height * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = scene.palette.page;
    context.fillRect(0, 0, scene.width, scene.height);
    context.font = this.font;
    context.textBaseline = 'middle';
    this.pixel = 1 / ratio;
    this.characterWidth = context.measureText('MMMMMMMMMM').width / 10;
    this.hatchings = {
      rising: makeHatching(context, scene.palette.text, 1),
      falling: makeHatching(context, scene.palette.text, -1)
    };
    for (let row = 0; row < scene.layout.rows; row++) {
      const y = rowTop(row, scene) - scene.scroll;
      if (y > -ROW_HEIGHT && y < scene.height) this.drawRow(scene, row, y);
    }
  }

  drawRow(scene, row, y) {
    const {rowStarts, starts, sizes, view, scale} = scene.layout;
    for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
      const left = Math.max(0, this.snap((starts.values[i] - view.from) * scale));
      const right = Math.min(scene.width, this.snap((starts.values[i] + sizes.values[i] - view.from) * scale));
      // A line of background between neighbours, once they are wide enough to spare it.
      const gap = right - left > 2.5 ? Math.max(this.pixel, 0.75) : 0;
      const width = Math.max(right - left - gap, this.pixel);
      this.drawRectangle(scene, i, row, left, y, width);
    }
  }

  snap(x) { return Math.round(x / this.pixel) * this.pixel; }

  drawRectangle(scene, i, row, left, y, width) {
    const {context} = this;
    const {layout, palette, mask} = scene;
    const node = layout.nodes.values[i];
    const frame = layout.tree.frames[node];
    const isRoot = node === layout.tree.root;
    const isMerged = layout.merged.values[i] !== 0;
    context.fillStyle = colourOf(scene, i, row);
    context.fillRect(left, y, width, ROW_HEIGHT - 1);
    if (isMerged) return;
    const hatching = !isRoot && width > 2 && this.hatchings[scene.hatchingOf(node)];
    if (hatching) {
      context.fillStyle = hatching;
      context.fillRect(left, y, width, ROW_HEIGHT - 1);
    }
    const room = Math.floor((width - 2 * PADDING + 2) / this.characterWidth);
    const label = isRoot ? fitLabel(scene.rootLabel, room, false) :
                           fitLabel(scene.nameOf(frame), room, scene.hasPackage(frame));
    if (label === '') return;
    context.fillStyle = palette.text;
    const isFaded = row < scene.zoomRow || (mask !== null && !(mask[frame] && !isRoot));
    context.globalAlpha = isFaded ? 0.75 : 1;
    const middle = y + (ROW_HEIGHT - 1) / 2 + 0.5;
    // Only ASCII is sure to be as wide as counted; anything else is squeezed to stay inside.
    if (ASCII.test(label)) {
      context.fillText(label, left + PADDING, middle);
    } else {
      context.fillText(label, left + PADDING, middle, width - 2 * PADDING + 2);
    }
    context.globalAlpha = 1;
  }
}

/** @return {number} pixels from the picture's top */
export function rowTop(row, scene) {
  return scene.icicle ? row * ROW_HEIGHT : scene.pictureHeight - (row + 1) * ROW_HEIGHT;
}

/** @return {number} the row at this distance from the picture's top; may be one that does not exist */
export function rowAt(y, scene) { return Math.floor((scene.icicle ? y : scene.pictureHeight - y) / ROW_HEIGHT); }

function colourOf(scene, i, row) {
  const {layout, palette, mask} = scene;
  const node = layout.nodes.values[i];
  if (layout.merged.values[i] !== 0) return layout.hits.values[i] ? palette.mergedMatch : palette.merged;
  if (node === layout.tree.root) return palette.root;
  const shade = scene.shadeOf(node);
  if (mask !== null) return mask[layout.tree.frames[node]] ? palette.match[shade] : palette.faded[shade];
  return row < scene.zoomRow ? palette.faded[shade] : palette.plain[shade];
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
