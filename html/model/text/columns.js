// Figures of a column: one unit for all of them, which its head shows, and as many decimals.

import {countNoun} from './numbers.js';

const UNITS = {
  nanoseconds: [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']],
  bytes: [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']],
};
/** The largest value has at least this in its unit. */
const LEAST_WHOLE = 10;
/** Decimals show this share of the largest value. */
const FINEST = 1e-4;
const MOST_DECIMALS = 2;

/** @typedef {{name: string, size: number, decimals: number}} ColumnUnit */

/**
 * @param {number} whole  the largest value @param {{type: string, unit: string, isMean: boolean=}} valueType
 * @return {ColumnUnit}
 */
export function columnUnit(whole, valueType) {
  const units = UNITS[valueType.unit] ?? [[1, countNoun(valueType)]];
  const [size, name] = units.find(([unit]) => whole >= LEAST_WHOLE * unit) ?? units.at(-1);
  const isWhole = size === 1 && !valueType.isMean;
  const decimals = isWhole || whole === 0 ? 0 : Math.ceil(-Math.log10(whole / size * FINEST));
  return {name, size, decimals: Math.max(0, Math.min(MOST_DECIMALS, decimals))};
}

/** @param {number} value  not negative @param {ColumnUnit} unit @return {string} 675.2, <0.1, 0 */
export function formatIn(value, {size, decimals}) {
  if (value === 0) return '0';
  const least = 10 ** -decimals;
  const format = numberFormat(decimals);
  return value / size < least / 2 ? `<${format.format(least)}` : format.format(value / size);
}

/** @return {string} the figure of a share without its sign: 62.8 */
export function withoutPercent(text) { return text.replaceAll('\u00a0%', ''); }

/** Numbers of a table as comma-separated values, which spreadsheets read. @param {(string|number|null)[][]} rows @return {string} */
export function toCsv(rows) { return rows.map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'; }

function csvCell(value) {
  if (typeof value === 'number') return String(value);
  // Spreadsheets take a text that begins so for a formula.
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : value ?? '';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const formats = new Map();

function numberFormat(decimals) {
  if (!formats.has(decimals)) {
    formats.set(decimals, new Intl.NumberFormat('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals}));
  }
  return formats.get(decimals);
}
