import assert from 'node:assert/strict';
import {test} from 'node:test';

import {QueryCache} from '../../html/model/trees/query_cache.js';
import {decodePayload} from '../../html/model/data/decode.js';
import {finish, Work} from '../../html/model/work.js';

import {encodePayload} from './make_page.mjs';
import {profileColumns, randomStacks} from './plain_stacks.mjs';

/** Steps of so many milliseconds each, which return their sum. */
function* steps(count, milliseconds) {
  for (let i = 0; i < count; i++) {
    for (const end = performance.now() + milliseconds; performance.now() < end;);
    yield;
  }
  return count;
}

const run = (work, way, made) => new Promise((resolve, reject) => work[way](made, resolve, reject));

test('short work runs at once, outdated work never, long work in slices', async () => {
  const work = new Work();
  let result = 0;
  work.start(steps(1, 0), (value) => result = value, assert.fail);
  assert.equal(result, 1);
  const later = run(work, 'startLater', steps(2, 0));
  assert.ok(work.isBusy);
  assert.equal(await later, 2);
  let others = 0;
  const count = () => work.isBusy && setImmediate(count, others++);
  const long = run(work, 'start', steps(12, 5));
  count();
  assert.equal(await long, 12);
  assert.ok(others > 1);
  assert.equal(work.isBusy, false);
});

test('dropped work reports nothing, failed work its reason', async () => {
  const work = new Work();
  work.startLater(steps(1, 0), assert.fail, assert.fail);
  assert.equal(await run(work, 'startLater', steps(3, 0)), 3);
  await assert.rejects(run(work, 'startLater', function*() { throw new Error('why'); }()), /why/);
  assert.equal(work.isBusy, false);
});

test('waiting work continues when its data is there, unless it was dropped', async () => {
  const work = new Work();
  function* waiting(promise) {
    let given;
    yield promise.then((value) => given = value);
    return given;
  }
  assert.equal(await run(work, 'start', waiting(Promise.resolve(3))), 3);
  const dropped = Promise.resolve(4);
  work.start(waiting(dropped), assert.fail, assert.fail);
  work.cancel();
  await dropped;
  await assert.rejects(run(work, 'start', waiting(Promise.reject(new Error('why')))), /why/);
});

test('a quick tree serves until the whole one is there, which then serves both', () => {
  const queries = new QueryCache(decodePayload(encodePayload(profileColumns(randomStacks(5)))));
  const request = {lens: 0, transforms: [{type: 'group', what: 'thread'}]};
  const picture = finish(queries.tree(request, true));
  assert.equal(finish(queries.tree(request, true)), picture);
  const whole = finish(queries.tree(request));
  assert.notEqual(whole, picture);
  assert.equal(finish(queries.tree(request, true)), whole);
  assert.equal(finish(queries.search('f')).matches.tree, whole);
  // The times of stacks do not depend on steps that hide no stack.
  assert.deepEqual(finish(queries.time({...request, filters: {}})).kept, finish(queries.time({lens: 0, filters: {}})).kept);
});
