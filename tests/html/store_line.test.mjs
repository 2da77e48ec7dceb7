import assert from 'node:assert/strict';
import {test} from 'node:test';

import {differencePath, factsOf, fieldOf, inOrder, profilePath, rangeOfFields, rangeText} from '../../html/console/model/store.js';
import {axisOf, domainOf, LANES, niceAbove, pointAt, rangeAfterKey, runsOf, snapped, stairsOf, sumOf, ticksOf} from '../../html/console/model/store_line.js';

const [CPU, ALLOC, GC] = LANES;
const BEGIN = new Date(2026, 10, 23, 10, 0, 0).getTime();
const MINUTE = 60_000;
const plain = (text) => text.replaceAll('\u00a0', ' ');

/** A minute that used `cores`, allocated as many MB a second and was stopped for so many hundredths. */
const minute = (number, cores = 1) => ({
  begin_ms: BEGIN + number * MINUTE,
  duration_ms: MINUTE,
  sampled_ns: 60e9,
  cpu_ns: cores * 60e9,
  allocated_bytes: cores * 60e6,
  gc_pause_ns: cores * 0.6e9,
});
const rangeOf = (from, to) => ({from: BEGIN + from * MINUTE, to: BEGIN + to * MINUTE});

test('rates are of the time that was recorded', () => {
  const half = {...minute(0, 2), sampled_ns: 30e9};
  assert.equal(CPU.valueOf(half), 4);
  assert.equal(ALLOC.valueOf(minute(0, 3)), 3e6);
  assert.equal(GC.valueOf(minute(0, 5)), 0.05);
  assert.equal(CPU.valueOf({...half, sampled_ns: 0}), 0);
  assert.deepEqual(LANES.map((lane) => plain(lane.format(lane.valueOf(minute(0, 1.5))))), ['1.50 cores', '1.50 MB/s', '1.50 % of the time']);
  assert.deepEqual(LANES.map((lane) => plain(lane.axis(lane.least))), ['0.1', '1 MB/s', '1 %']);
  assert.equal(plain(ALLOC.axis(20e6)), '20 MB/s');
});

test('an axis ends at a round number, and nothing does not look like much', () => {
  assert.deepEqual([0.7, 1, 1.2, 2, 3, 5.1, 99, 0.5].map(niceAbove), [0.8, 1, 1.5, 2, 3, 6, 100, 0.5]);
  assert.equal(axisOf(CPU, [minute(0, 0.001)]), 0.1);
  assert.equal(axisOf(CPU, [minute(0, 3.2), minute(1, 0)]), 4);
});

test('over a pause there is no line', () => {
  const runs = runsOf([minute(0), minute(1), minute(5), minute(6), {...minute(7), begin_ms: BEGIN + 7 * MINUTE + 40}]);
  assert.deepEqual(runs.map((run) => run.length), [2, 3]);
  const {line, area} = stairsOf(runs[0], CPU, (time) => (time - BEGIN) / MINUTE, (value) => 10 - value);
  assert.equal(line, 'M0,9L1,9L1,9L2,9');
  assert.equal(area, 'M0,9L1,9L1,9L2,9L2,10L0,10Z');
});

test('ticks are at round times of the reader', () => {
  const ticks = ticksOf(rangeOf(-3, 62), 12);
  assert.deepEqual(ticks.slice(0, 2).map(({label}) => label), ['10:00', '10:10']);
  assert.equal(ticks.length, 7);
  const seconds = ticksOf({from: BEGIN, to: BEGIN + 20_000}, 4);
  assert.deepEqual(seconds.map(({label}) => label), ['10:00:00', '10:00:05', '10:00:10', '10:00:15', '10:00:20']);
  const night = ticksOf(rangeOf(13 * 60, 15 * 60), 3).map(({label}) => label);
  assert.deepEqual(night, ['23:00', 'Nov 24', '01:00']);
  assert.ok(ticksOf(rangeOf(0, 60 * 24 * 400), 8).length <= 16);
});

test('a drag chooses whole points', () => {
  const points = [minute(0), minute(1), minute(2), minute(9)];
  assert.deepEqual(snapped(points, rangeOf(0.5, 1.2)), rangeOf(0, 2));
  assert.deepEqual(snapped(points, rangeOf(1, 2)), rangeOf(1, 2));
  assert.equal(snapped(points, rangeOf(4, 8)), null);
  assert.deepEqual(domainOf(points), rangeOf(0, 10));
  assert.equal(pointAt(points, BEGIN + 1.5 * MINUTE), points[1]);
  assert.equal(pointAt(points, BEGIN + 8 * MINUTE), points[3]);
  assert.equal(CPU.valueOf(sumOf([minute(0, 1), minute(1, 4)])), 2.5);
});

test('arrows go from window to window, with Shift one end stays', () => {
  const points = [minute(0), minute(1), minute(2)];
  const after = (range, key, isWider = false) => rangeAfterKey(points, range, key, isWider);
  assert.deepEqual(after(null, 'ArrowLeft'), rangeOf(2, 3));
  assert.deepEqual(after(rangeOf(2, 3), 'ArrowLeft'), rangeOf(1, 2));
  assert.deepEqual(after(rangeOf(1, 2), 'ArrowRight', true), rangeOf(1, 3));
  assert.deepEqual(after(rangeOf(2, 3), 'Home', true), rangeOf(0, 3));
  assert.deepEqual(after(rangeOf(0, 1), 'ArrowLeft'), rangeOf(0, 1));
  assert.deepEqual(after(rangeOf(50, 60), 'End'), rangeOf(2, 3));
  assert.equal(after(null, 'a'), null);
});

test('a chosen range has milliseconds; the earlier of two is the one before', () => {
  const early = {from: 1000.2, to: 2000.5}, late = {from: 3000, to: 4000};
  assert.equal(profilePath(early), '/api/store/profile.html?from=1000&to=2001');
  assert.deepEqual(inOrder(late, early), [early, late]);
  assert.equal(differencePath(early, late), '/api/store/diff.html?from=3000&to=4000&base_from=1000&base_to=2001');
});

test('fields hold times of the reader', () => {
  assert.equal(fieldOf(BEGIN), '2026-11-23T10:00:00');
  assert.deepEqual(rangeOfFields('2026-11-23T10:00:00', '2026-11-23T10:01'), rangeOf(0, 1));
  for (const [from, to] of [['', ''], ['2026-11-23T10:00', ''], ['2026-11-23T10:00', '2026-11-23T10:00']]) {
    assert.equal(rangeOfFields(from, to), null);
  }
  assert.equal(rangeText(rangeOf(0, 3)), 'Nov 23, 10:00:00 – 10:03:00');
  assert.equal(rangeText(rangeOf(0, 24 * 60)), 'Nov 23, 10:00:00 – Nov 24, 10:00:00');
});

test('the store shows its cost and its errors', () => {
  const store = {
    events: ['cpu', 'wall'],
    window_ns: 60e9,
    bytes: 23e6,
    keep_bytes: 1e9,
    cost: 0.0042,
    budget: 0.01,
    slowdown: 1,
    windows_lost: 0,
  };
  assert.deepEqual(
      factsOf(store).map(({text}) => plain(text)),
      ['cpu, wall', '60 s windows', '23.0 MB of 1.00 GB', 'overhead 0.42 % (limit 1.00 %)']);
  const bad = factsOf({...store, slowdown: 4, windows_lost: 2, problem: 'allocations are missing'}).filter(({isWarning}) => isWarning);
  assert.deepEqual(bad.map(({text}) => text), ['sampling rates reduced 4 times to stay within the limit', '2 windows lost', 'allocations are missing']);
});
