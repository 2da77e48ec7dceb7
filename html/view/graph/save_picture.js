// Saves the flame graph as a file: all rows of the current zoom.

import {make} from '../dom.js';
import {saveFile} from '../save_file.js';
import {MOST_PIXELS} from './graph.js';
import {Painter} from './painter.js';
import {FONT_SIZE, forEachRectangle, PADDING, ROW_HEIGHT} from './rectangles.js';
import {notify} from '../status.js';

const PNG_RATIO = 2;
const HEADING = 34;
const MARGIN = 12;

/**
 * @param {import('./graph_view.js').GraphView} view @param {string} title @param {string} value  total
 * @return {[string, Function][]} entries of a menu
 */
export function savingsOf(view, title, value) {
  const {graph} = view;
  const drawing = {...graph.drawing(), scroll: 0, height: graph.pictureHeight};
  const saveSvg = () => {
    const source = svgOf(drawing, `${title} · ${value}`, graph.painter, (rectangle) => view.textOf(rectangle));
    saveFile(new Blob([source], {type: 'image/svg+xml'}), `${title}.svg`);
  };
  return [['Picture (.svg)', saveSvg], ['Picture (.png)', () => savePng(drawing, `${title}.png`)]];
}

function savePng(drawing, name) {
  const canvas = make('canvas');
  const ratio = Math.min(PNG_RATIO, MOST_PIXELS / drawing.height, MOST_PIXELS / drawing.width);
  new Painter(canvas).draw(drawing, ratio);
  canvas.toBlob((blob) => blob ? saveFile(blob, name) : notify('The picture is too large for this browser'));
}

/**
 * @param {import('./rectangles.js').Drawing} drawing @param {string} title @param {Painter} painter  knows the font
 * @param {function(import('./rectangles.js').Rectangle): string} describe  text for a rectangle's tooltip
 * @return {string}
 */
function svgOf(drawing, title, painter, describe) {
  const {palette} = drawing;
  const width = drawing.width + 2 * MARGIN;
  const height = drawing.height + HEADING + MARGIN;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>text{font:${FONT_SIZE}px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${palette.text}}</style>`,
    hatchingOf('rising', palette.text, 'M-1,7 l8,-8 M-4,4 l5,-5 M2,10 l8,-8'),
    hatchingOf('falling', palette.text, 'M-1,-1 l8,8 M-4,2 l6,6 M2,-4 l8,8'),
    `<rect width="100%" height="100%" fill="${palette.page}"/>`,
    `<text x="${MARGIN}" y="21">${escapeText(title)}</text>`,
    `<g transform="translate(${MARGIN} ${HEADING})">`,
  ];
  forEachRectangle(drawing, {pixel: 0.5, characterWidth: painter.characterWidth()}, (rectangle) => parts.push(elementOf(rectangle, describe)));
  parts.push('</g></svg>\n');
  return parts.join('\n');
}

function elementOf(rectangle, describe) {
  const {left, top, width, fill, underline, hatching, label, isFaded} = rectangle;
  const height = ROW_HEIGHT - 1;
  const box = (colour, y = top, tall = height) =>
      `<rect x="${round(left)}" y="${round(y)}" width="${round(width)}" height="${tall}" fill="${colour}"/>`;
  const parts = [`<g><title>${escapeText(describe(rectangle))}</title>`, box(fill)];
  if (hatching) parts.push(box(`url(#${hatching})`));
  if (underline) parts.push(box(underline, top + height - 3, 3));
  if (label) {
    const faded = isFaded ? ' opacity="0.75"' : '';
    parts.push(`<text x="${round(left + PADDING)}" y="${round(top + height / 2 + 4)}"${faded} xml:space="preserve">${escapeText(label)}</text>`);
  }
  return `${parts.join('')}</g>`;
}

function hatchingOf(id, colour, path) {
  const stripes = `<path d="${path}" stroke="${colour}" stroke-opacity="0.16" stroke-width="1.4"/>`;
  return `<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse">${stripes}</pattern>`;
}

function round(number) { return Math.round(100 * number) / 100; }

/** Escapes text for XML, which has no control characters. */
function escapeText(text) {
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
