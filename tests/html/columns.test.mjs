import assert from 'node:assert/strict';
import {test} from 'node:test';

import {columnUnit, formatIn, toCsv, withoutPercent} from '../../html/model/text/columns.js';

const TIME = {type: 'cpu', unit: 'nanoseconds'};
const BYTES = {type: 'alloc_space', unit: 'bytes'};
const SAMPLES = {type: 'samples', unit: 'count'};

/** The unit of a column with this sum, and figures in it. */
const columnOf = (whole, type, ...values) => {
  const unit = columnUnit(whole, type);
  return [unit.name, ...values.map((value) => formatIn(value, unit))];
};

test('a column has one unit, and decimals for a ten-thousandth of its sum', () => {
  assert.deepEqual(columnOf(60e9, TIME, 60e9, 1.5e9, 3e6), ['s', '60.00', '1.50', '<0.01']);
  assert.deepEqual(columnOf(4.38e9, TIME, 675e6, 50e3, 0), ['ms', '675.0', '0.1', '0']);
  assert.deepEqual(columnOf(404e6, BYTES, 300e6, 1234), ['MB', '300.00', '<0.01']);
  assert.deepEqual(columnOf(12, BYTES, 7), ['B', '7']);
  assert.deepEqual(columnOf(4444, SAMPLES, 1298, 1), ['samples', '1,298', '1']);
  assert.deepEqual(columnOf(5, {type: 'page_faults', unit: 'count'}, 5), ['page faults', '5']);
  assert.deepEqual(columnOf(0, TIME, 0), ['ns', '0']);
  assert.deepEqual(columnOf(12.5, {...SAMPLES, isMean: true}, 0.25), ['samples', '0.25']);
});

test('shares have their sign in the head', () => {
  assert.equal(withoutPercent('62.8\u00a0% ± 9.60\u00a0%'), '62.8 ± 9.60');
});

test('text for spreadsheets is quoted, and nothing in it is a formula', () => {
  const rows = [['Method', 'Self'], ['a,b', 1.5], ['say "x"', null], ['=cmd|x', 2], ['-main', 3], ['one\ntwo', -4]];
  assert.equal(toCsv(rows), 'Method,Self\r\n"a,b",1.5\r\n"say ""x""",\r\n\'=cmd|x,2\r\n\'-main,3\r\n"one\ntwo",-4\r\n');
});
