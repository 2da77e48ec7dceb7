import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {PRESETS} from '../../html/model/transforms/presets.js';
import {problemOf} from '../../html/model/transforms/transforms.js';

import {listing, treeOf} from './derive.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

/** @return {string} the stack that is left of one, frames given as text */
function left(id, stack) {
  const profile = decodePayload(encodePayload(columnsOf([{frames: stack.split(';').map((name) => [name, KIND.jit]), values: [1, 1]}])));
  const {transforms} = PRESETS.find((preset) => preset.id === id);
  return listing(treeOf(profile, 0, {transforms})).at(-1).replace(/ 1$/, '');
}

test('every preset can be applied to every profile', () => {
  const profile = decodePayload(encodePayload(columnsOf([])));
  for (const {id, label, words, transforms} of PRESETS) {
    assert.ok(label && words, id);
    for (const step of transforms) assert.equal(problemOf(step, profile), '', id);
  }
  assert.equal(new Set(PRESETS.map(({id}) => id)).size, PRESETS.length);
});

test("of seqs and transducers only the caller's functions are left", () => {
  assert.equal(
      left('clojure-seq',
           'shop.core/total;clojure.core/reduce;clojure.core.protocols/coll-reduce;clojure/lang/LazySeq.seq;clojure/lang/LazySeq.sval;' +
               'clojure.core/map/fn--5931;clojure/lang/RestFn.applyTo;shop.core/price/fn--12;clojure/lang/PersistentHashMap.assoc'),
      'shop.core/total;shop.core/price/fn;clojure/lang/PersistentHashMap.assoc');
  assert.equal(left('clojure-seq', 'a/b;clojure.core/mapper;clojure.core/transduce'), 'a/b;clojure.core/mapper');
});

test('of core.async the go blocks are left', () => {
  assert.equal(
      left('clojure-async',
           'java/lang/Thread.run;clojure.core.async.impl.dispatch/run/fn--31;shop.feed/poll/fn--44/state-machine--9--auto--/fn--46;' +
               'clojure.core.async.impl.ioc-macros/run-state-machine;shop.feed/read'),
      'java/lang/Thread.run;shop.feed/poll/go;shop.feed/read');
});

test('a reflective call is one frame', () => {
  assert.equal(
      left('clojure-reflection',
           'a/b;clojure/lang/Reflector.invokeInstanceMethod;clojure/lang/Reflector.invokeMatchingMethod;java/lang/reflect/Method.invoke;' +
               'jdk/internal/reflect/DirectMethodHandleAccessor.invoke;java/lang/String.length'),
      'a/b;[reflection];java/lang/String.length');
});

test('lambdas and proxies differ in no number', () => {
  assert.equal(
      left('java-lambda',
           'a/B.run;java/lang/invoke/LambdaForm$MH.0x00ff.invoke;a/B$$Lambda$14/0x0012.apply;jdk/proxy2/$Proxy12.get;' +
               'java/lang/reflect/Method.invoke;a/C.get'),
      'a/B.run;a/B$$Lambda.apply;jdk/proxy2/$Proxy.get;a/C.get');
});
