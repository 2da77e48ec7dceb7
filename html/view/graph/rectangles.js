// The rectangles of a flame graph: position, colour, label. Used for the canvas and for SVG files.

import {fitLabel} from '../../model/text/labels.js';

export const ROW_HEIGHT = 20;
export const FONT_SIZE = 11.5;
export const PADDING = 5;
/** Mark of a search match; highlights have the marks from 1 on. */
export const SEARCHED = 255;

/**
 * @typedef {Object} Drawing
 * @property {import('../../model/trees/layout.js').Layout} layout
 * @property {number} width @property {number} height  pixels of the canvas
 * @property {number} scroll  pixels from the top of the whole picture to the canvas's top
 * @property {number} pictureHeight
 * @property {boolean} icicle
 * @property {number} firstRow  rows above it are not shown
 * @property {number} zoomRow  row of the frame that fills the width; rows before it are its callers
 * @property {Object} palette  of makePalette()
 * @property {function(number): number} shadeOf  node -> colour in the palette
 * @property {function(number): string} nameOf  node -> name
 * @property {function(number): string} hatchingOf  node -> 'rising', 'falling' or ''
 * @property {function(number): boolean} hasPackage  of a node, see kinds.js
 * @property {?Uint8Array} marks  frame -> 0, SEARCHED, or the number of its highlight; null: no marks; with marks, unmarked frames are pale
 * @property {string} rootLabel
 */

/**
 * @typedef {Object} Rectangle
 * @property {number} node @property {number} merged @property {number} size  as of a Target (graph.js) @property {number} left @property {number} top @property {number} width
 * @property {string} fill @property {string} underline  colour, '' for none @property {string} hatching @property {string} label
 * @property {boolean} isFaded
 */

/**
 * @param {Drawing} drawing @param {{pixel: number, characterWidth: number}} measures  of the screen and the font
 * @param {function(Rectangle)} visit  called for each visible rectangle; the object is reused
 */
export function forEachRectangle(drawing, measures, visit) {
  const {layout} = drawing;
  const rectangle = {};
  for (let row = drawing.firstRow; row < layout.rows; row++) {
    rectangle.top = rowTop(row, drawing) - drawing.scroll;
    if (rectangle.top <= -ROW_HEIGHT || rectangle.top >= drawing.height) continue;
    for (let i = layout.rowStarts[row]; i < layout.rowStarts[row + 1]; i++) {
      setPosition(rectangle, drawing, i, measures.pixel);
      setLook(rectangle, drawing, i, row, measures.characterWidth);
      visit(rectangle);
    }
  }
}

function setPosition(rectangle, {layout, width}, i, pixel) {
  const {starts, sizes, view, scale} = layout;
  const snap = (x) => Math.round(x / pixel) * pixel;
  const left = Math.max(0, snap((starts.values[i] - view.from) * scale));
  const right = Math.min(width, snap((starts.values[i] + sizes.values[i] - view.from) * scale));
  // A gap between neighbours that are wide enough.
  const gap = right - left > 2.5 ? Math.max(pixel, 0.75) : 0;
  rectangle.left = left;
  rectangle.width = Math.max(right - left - gap, pixel);
}

function setLook(rectangle, drawing, i, row, characterWidth) {
  const {layout, palette, marks} = drawing;
  const node = layout.nodes.values[i];
  const isRoot = node === layout.tree.root;
  const merged = layout.merged.values[i];
  const size = layout.sizes.values[i];
  Object.assign(rectangle, {node, merged, size, underline: '', hatching: '', label: '', isFaded: row < drawing.zoomRow});
  if (merged !== 0) {
    rectangle.fill = layout.hits.values[i] ? palette.mergedMatch : palette.merged;
    return;
  }
  const room = Math.floor((rectangle.width - 2 * PADDING + 2) / characterWidth);
  if (isRoot) {
    rectangle.fill = palette.root;
    rectangle.label = fitLabel(drawing.rootLabel, room, false);
    return;
  }
  const mark = marks ? marks[layout.tree.frames[node]] : 0;
  rectangle.isFaded = marks ? mark === 0 : rectangle.isFaded;
  rectangle.fill = fillOf(palette, drawing.shadeOf(node), mark, rectangle.isFaded);
  if (mark > 0 && palette.underlines) rectangle.underline = mark === SEARCHED ? palette.mergedMatch : palette.highlights[mark - 1];
  if (rectangle.width > 2) rectangle.hatching = drawing.hatchingOf(node);
  if (room > 0) rectangle.label = fitLabel(drawing.nameOf(node), room, drawing.hasPackage(node));
}

function fillOf(palette, shade, mark, isFaded) {
  if (isFaded) return palette.faded[shade];
  if (mark === 0 || palette.underlines) return palette.plain[shade];
  return mark === SEARCHED ? palette.match[shade] : palette.highlights[mark - 1];
}

/** @return {number} pixels from the picture's top */
export function rowTop(row, drawing) {
  const shown = row - drawing.firstRow;
  return drawing.icicle ? shown * ROW_HEIGHT : drawing.pictureHeight - (shown + 1) * ROW_HEIGHT;
}

/** @return {number} the row at this distance from the picture's top; may be out of range */
export function rowAt(y, drawing) { return drawing.firstRow + Math.floor((drawing.icicle ? y : drawing.pictureHeight - y) / ROW_HEIGHT); }
