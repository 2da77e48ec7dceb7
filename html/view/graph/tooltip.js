// The tooltip of a frame.

import {formatCount} from '../../model/text/numbers.js';
import {explain} from '../../model/text/words.js';

import {byId, make} from '../dom.js';

const DISTANCE = 14;

/**
 * @typedef {Object} FrameFacts
 * @property {string} name @property {string} kind  in words @property {string} colour @property {string[]} details
 * @property {string[][]} table  the first row holds the heads @property {number} merged
 */

export class Tooltip {
  constructor() { this.element = byId('tooltip'); }

  /** @param {FrameFacts} facts @param {{x: number, y: number}} point on the screen */
  show(facts, point) {
    this.element.replaceChildren(...describe(facts));
    this.element.hidden = false;
    const {width, height} = this.element.getBoundingClientRect();
    const fitsRight = point.x + DISTANCE + width < innerWidth - 8;
    const fitsBelow = point.y + DISTANCE + height < innerHeight - 8;
    const left = fitsRight ? point.x + DISTANCE : point.x - DISTANCE - width;
    const top = fitsBelow ? point.y + DISTANCE : point.y - DISTANCE - height;
    this.element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    this.element.style.top = `${Math.max(8, top)}px`;
  }

  get isShown() { return !this.element.hidden; }

  hide() { this.element.hidden = true; }
}

/** @param {number} count  of frames merged into one rectangle @return {string} */
export function narrowText(count) { return `${formatCount(count)} frame${count === 1 ? '' : 's'} too narrow to draw`; }

function describe(facts) {
  if (facts.merged > 0) {
    return [
      make('div', {class: 'name'}, narrowText(facts.merged)),
      make('div', {class: 'kind'}, `called by ${facts.name}: zoom in to see them`),
      tableOf(facts.table),
    ];
  }
  const swatch = make('span', {class: 'swatch'});
  swatch.style.background = facts.colour;
  const parts = [make('div', {class: 'name'}, facts.name), make('div', {class: 'kind'}, swatch, facts.kind)];
  parts.push(...facts.details.map((text) => make('div', {class: 'kind'}, text)));
  const explanation = explain(facts.name);
  if (explanation) parts.push(make('div', {class: 'explanation'}, explanation));
  return [...parts, tableOf(facts.table)];
}

function tableOf([heads, ...rows]) {
  const row = (tag, texts) => make('tr', {}, ...texts.map((text) => make(tag, {}, text)));
  return make('table', {}, ...(heads ? [row('th', heads)] : []), ...rows.map((texts) => row('td', texts)));
}
