// The parts that a page leaves out at first: the shared trunk, and threads without work.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {busyRows, hasWall, isWall} from '../../html/model/trees/busy.js';
import {Engine} from '../../html/model/trees/engine.js';
import {trunkOf} from '../../html/model/trees/trunk.js';
import {finish} from '../../html/model/work.js';

import {columnsOf, encodePayload, KIND} from './make_page.mjs';

const {jit, native, cpp, marker} = KIND;
const WALL = [{type: 'samples', unit: 'count'}, {type: 'wall', unit: 'nanoseconds'}];
const START = [['clone3', native], ['start_thread', native], ['thread_native_entry', cpp], ['Thread::call_run', cpp]];

const profileOf = (stacks, header = {}) => decodePayload(encodePayload(columnsOf(stacks, header)));
const treeOf = (profile, request = {}) => finish(new Engine(profile).derive({lens: 1, ...request}));
const stack = (frames, samples) => ({frames, values: [samples, samples * 1e6]});
const wallOf = (...stacks) => profileOf(stacks, {event: 'wall', values: WALL});

test('the trunk is what all stacks share, and no more', () => {
  const tree = treeOf(profileOf([stack([...START, ['a/B.c', jit]], 60), stack([...START, ['a/B.d', jit]], 40)]));
  assert.deepEqual(trunkOf(tree).map((node) => tree.nameOf(node)), ['clone3', 'start_thread', 'thread_native_entry', 'Thread::call_run']);
});

test('a sample in a thousand without a root does not bring the trunk back, a tenth does', () => {
  const forks = (samples) => [stack([...START, ['a/B.c', jit]], 600), stack([...START, ['a/B.d', jit]], 400), stack([['[lost]', marker]], samples)];
  assert.equal(trunkOf(treeOf(profileOf(forks(1)))).length, 4);
  assert.deepEqual(trunkOf(treeOf(profileOf(forks(100)))), []);
});

test('few shared frames, and a single stack, are shown', () => {
  assert.deepEqual(trunkOf(treeOf(profileOf([stack([['main', native], ['a', native]], 1), stack([['main', native], ['b', native]], 1)]))), []);
  assert.deepEqual(trunkOf(treeOf(profileOf([stack([...START, ['a/B.c', jit]], 1)]))), []);
  assert.deepEqual(trunkOf(treeOf(profileOf([]))), []);
});

// Stack, and whether its thread of the program has something to do.
const POOL = [['java/lang/Thread.run', jit], ['java/util/concurrent/ThreadPoolExecutor.getTask', jit], ['jdk/internal/misc/Unsafe.park', jit]];
const ROWS = [
  [[...START, ['JavaThread::run', cpp], ['a/Shop.buy', jit]], true],
  [[...START, ['a/Shop.buy', jit], ['__read', native], ['[socket]', marker]], true],
  [[...START, ['a/Shop.lock', jit], ['[monitor]', marker]], true],
  [[...START, ['a.b/park', jit], ['[parked]', marker]], true],
  [[...START, ...POOL, ['[parked]', marker]], false],
  [[...START, ...POOL, ['[runnable]', marker]], true],
  [[...START, ...POOL], true],
  [[...START, ['sun.nio.ch.SelectorImpl.lockAndDoSelect(long)', jit], ['epoll_wait', native], ['[socket]', marker]], false],
  [[...START, ['GangWorker::loop', cpp], ['[waiting]', marker]], false],
  [[...START, ['CompileBroker::compiler_thread_loop', cpp]], false],
  [[['[unsampled]', marker]], true],
  [[...START, ['[GC_active]', marker]], true],
];

test('threads that wait for work and threads of the JVM are idle, whoever waits for something else is not', () => {
  for (const [frames, isBusy] of ROWS) {
    const name = frames.map(([one]) => one).join(';');
    assert.deepEqual([...finish(busyRows(wallOf(stack(frames, 1))))], [isBusy ? 1 : 0], name);
  }
});

test('idle threads are left out of wall-clock time only, and not if nothing else is there', () => {
  const stacks = ROWS.map(([frames], i) => stack(frames, i + 1));
  const busy = ROWS.reduce((sum, [, isBusy], i) => sum + (isBusy ? i + 1 : 0), 0);
  const all = ROWS.length * (ROWS.length + 1) / 2;
  const total = (profile, request) => treeOf(profile, request).totals[0] / 1e6;
  assert.equal(total(wallOf(...stacks), {busy: true}), busy);
  assert.equal(total(wallOf(...stacks), {busy: false}), all);
  const cpu = profileOf(stacks);
  assert.equal(total(cpu, {busy: true}), all);
  const idle = wallOf(stack([...START, ...POOL, ['[parked]', marker]], 7));
  assert.equal(total(idle, {busy: true}), 7);
  const share = finish(new Engine(wallOf(...stacks)).busyRows(1)).hidden;
  assert.ok(Math.abs(share - (1 - busy / all)) < 1e-9, share);
});

test('filters and idle threads are left out together, also over time and by label', () => {
  const labelled = ROWS.map(([frames], i) => ({...stack(frames, 1), labels: {thread: i % 2 === 0 ? 'even' : 'odd'}, time: i % 2}));
  const profile = profileOf(labelled, {event: 'wall', values: WALL, time: {step_ns: 1e9, count: 2}, duration_ns: 2e9});
  const wanted = ROWS.filter(([, isBusy], i) => isBusy && i % 2 === 0).length;
  const engine = new Engine(profile);
  const request = {lens: 0, busy: true, filters: {labels: {thread: ['even']}}};
  assert.equal(finish(engine.derive(request)).totals[0], wanted);
  assert.deepEqual([...finish(engine.timeline(request)).totals], [wanted, 0]);
  const [thread] = finish(engine.labelTable({lens: 0, busy: true, filters: {}}));
  assert.equal(thread.values.find(({value}) => value === 'even').total, wanted);
});

test('wall-clock time is a value of its own, or the samples of such a profile', () => {
  assert.ok(isWall({event: 'wall', values: WALL}, 0) && isWall({event: 'wall', values: WALL}, 1));
  assert.ok(!isWall({event: 'cpu, wall', values: WALL}, 0) && isWall({event: 'cpu, wall', values: WALL}, 1));
  assert.ok(!hasWall({values: WALL, difference: {}}) && !hasWall({values: WALL.slice(0, 1)}));
});
