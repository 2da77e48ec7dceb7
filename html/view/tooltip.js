// What is known of the frame under the pointer.

import {boundOfShare} from '../model/bounds.js';
import {formatCount, formatShare, formatValue} from '../model/numbers.js';
import {explain} from '../model/words.js';

import {byId, make} from './dom.js';

const DISTANCE = 14;

/**
 * @typedef {Object} Amount @property {number} value @property {number} [variance]  where it is known
 *
 * @typedef {Object} FrameFacts
 * @property {string} name @property {string} kind  in words @property {string} colour
 * @property {{word: string, share: number}[]} kindShares  where a method ran in several ways
 * @property {Amount} total @property {?Amount} self  null where a frame has none of its own
 * @property {Amount} whole  of the root @property {Amount} zoomed  of the frame that fills the width
 * @property {{type: string, unit: string}} valueType @property {number} merged
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

  hide() { this.element.hidden = true; }
}

function describe(facts) {
  if (facts.merged > 0) {
    const title = `${formatCount(facts.merged)} frame${facts.merged === 1 ? '' : 's'} too narrow to draw`;
    return [
      make('div', {class: 'name'}, title),
      make('div', {class: 'kind'}, `called by ${facts.name}: zoom in to see them`),
      numbers(facts, [['Total', facts.total]]),
    ];
  }
  const swatch = make('span', {class: 'swatch'});
  swatch.style.background = facts.colour;
  const rows = [['Total', facts.total]];
  if (facts.self !== null) rows.push(['Self', facts.self]);
  const parts = [make('div', {class: 'name'}, facts.name), make('div', {class: 'kind'}, swatch, facts.kind)];
  if (facts.kindShares.length > 1) {
    const shares = facts.kindShares.map(({word, share}) => `${word} ${formatShare(share, 1)}`);
    parts.push(make('div', {class: 'kind'}, shares.join(' · ')));
  }
  const explanation = explain(facts.name);
  if (explanation) parts.push(make('div', {class: 'explanation'}, explanation));
  return [...parts, numbers(facts, rows)];
}

function numbers({whole, zoomed, valueType}, rows) {
  const table = make('table');
  const isZoomed = zoomed.value !== whole.value;
  const heads = isZoomed ? ['', '', 'of all', 'of zoomed'] : ['', '', 'of all'];
  table.append(make('tr', {}, ...heads.map((head) => make('th', {}, head))));
  for (const [label, amount] of rows) {
    const cells = [label, formatValue(amount.value, valueType), shareText(amount, whole)];
    // A caller of the zoomed frame holds more than all of it; its share would be above 100 %.
    if (isZoomed) cells.push(amount.value <= zoomed.value ? shareText(amount, zoomed) : '–');
    table.append(make('tr', {}, ...cells.map((cell) => make('td', {}, cell))));
  }
  return table;
}

/** With its 95 % bound, where only some of what was counted was sampled. */
function shareText(part, whole) {
  const share = formatShare(part.value, whole.value);
  if (part.variance === undefined || part.value === 0) return share;
  const bound = boundOfShare(part, whole);
  return bound > 0 ? `${share} ± ${formatShare(bound, 1)}` : share;
}
