// What a flame graph looks like, rectangle by rectangle: where, which colour, which label. The canvas and the SVG file
// are drawn from it.

import {fitLabel} from '../model/labels.js';

export const ROW_HEIGHT = 20;
export const FONT_SIZE = 11.5;
export const PADDING = 5;
/** Marks a frame that is searched for; highlights have the numbers from 1 on. */
export const SEARCHED = 255;

/**
 * @typedef {Object} Scene
 * @property {import('../model/layout.js').Layout} layout
 * @property {number} width @property {number} height  pixels of the canvas
 * @property {number} scroll  pixels from the top of the whole picture to the canvas's top
 * @property {number} pictureHeight
 * @property {boolean} icicle
 * @property {number} firstRow  rows before it are not shown
 * @property {number} zoomRow  row of the frame that fills the width: those before it are its callers
 * @property {Object} palette  of makePalette()
 * @property {function(number): number} shadeOf  node -> colour in the palette
 * @property {function(number): string} nameOf  node -> name
 * @property {function(number): string} hatchingOf  node -> 'rising', 'falling' or ''
 * @property {function(number): boolean} hasPackage  of a node, see kinds.js
 * @property {?Uint8Array} marks  frame -> 0, SEARCHED, or the number of its highlight; null: nothing is marked, else what is not is pale
 * @property {string} rootLabel
 */

/**
 * @typedef {Object} Rectangle
 * @property {number} node @property {number} merged @property {number} size  as of a Target (graph.js) @property {number} left @property {number} top @property {number} width
 * @property {string} fill @property {string} underline  colour, '' for none @property {string} hatching @property {string} label
 * @property {boolean} isFaded
 */

/**
 * @param {Scene} scene @param {{pixel: number, characterWidth: number}} measures  of the screen and the font
 * @param {function(Rectangle)} visit  called for each that lies in the canvas; the object is used again
 */
export function forEachRectangle(scene, measures, visit) {
  const {layout} = scene;
  const rectangle = {};
  for (let row = scene.firstRow; row < layout.rows; row++) {
    rectangle.top = rowTop(row, scene) - scene.scroll;
    if (rectangle.top <= -ROW_HEIGHT || rectangle.top >= scene.height) continue;
    for (let i = layout.rowStarts[row]; i < layout.rowStarts[row + 1]; i++) {
      place(rectangle, scene, i, measures.pixel);
      dress(rectangle, scene, i, row, measures.characterWidth);
      visit(rectangle);
    }
  }
}

function place(rectangle, {layout, width}, i, pixel) {
  const {starts, sizes, view, scale} = layout;
  const snap = (x) => Math.round(x / pixel) * pixel;
  const left = Math.max(0, snap((starts.values[i] - view.from) * scale));
  const right = Math.min(width, snap((starts.values[i] + sizes.values[i] - view.from) * scale));
  // A line of background between neighbours, once they are wide enough to spare it.
  const gap = right - left > 2.5 ? Math.max(pixel, 0.75) : 0;
  rectangle.left = left;
  rectangle.width = Math.max(right - left - gap, pixel);
}

function dress(rectangle, scene, i, row, characterWidth) {
  const {layout, palette, marks} = scene;
  const node = layout.nodes.values[i];
  const isRoot = node === layout.tree.root;
  const merged = layout.merged.values[i];
  const size = layout.sizes.values[i];
  Object.assign(rectangle, {node, merged, size, underline: '', hatching: '', label: '', isFaded: row < scene.zoomRow});
  if (merged !== 0) {
    rectangle.fill = layout.hits.values[i] ? palette.mergedMatch : palette.merged;
    return;
  }
  const room = Math.floor((rectangle.width - 2 * PADDING + 2) / characterWidth);
  if (isRoot) {
    rectangle.fill = palette.root;
    rectangle.label = fitLabel(scene.rootLabel, room, false);
    return;
  }
  const mark = marks ? marks[layout.tree.frames[node]] : 0;
  rectangle.isFaded = marks ? mark === 0 : rectangle.isFaded;
  rectangle.fill = fillOf(palette, scene.shadeOf(node), mark, rectangle.isFaded);
  if (mark > 0 && palette.underlines) rectangle.underline = mark === SEARCHED ? palette.mergedMatch : palette.highlights[mark - 1];
  if (rectangle.width > 2) rectangle.hatching = scene.hatchingOf(node);
  if (room > 0) rectangle.label = fitLabel(scene.nameOf(node), room, scene.hasPackage(node));
}

function fillOf(palette, shade, mark, isFaded) {
  if (isFaded) return palette.faded[shade];
  if (mark === 0 || palette.underlines) return palette.plain[shade];
  return mark === SEARCHED ? palette.match[shade] : palette.highlights[mark - 1];
}

/** @return {number} pixels from the picture's top */
export function rowTop(row, scene) {
  const shown = row - scene.firstRow;
  return scene.icicle ? shown * ROW_HEIGHT : scene.pictureHeight - (shown + 1) * ROW_HEIGHT;
}

/** @return {number} the row at this distance from the picture's top; may be one that does not exist */
export function rowAt(y, scene) { return scene.firstRow + Math.floor((scene.icicle ? y : scene.pictureHeight - y) / ROW_HEIGHT); }
