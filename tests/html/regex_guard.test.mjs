import assert from 'node:assert/strict';
import {test} from 'node:test';

import {legible} from '../../html/model/data/legible.js';
import {mayBeSlow} from '../../html/model/transforms/regex_guard.js';

test('an expression is tried first where it may backtrack for long', () => {
  const ordinary = ['', 'parse', 'a|b', 'Tax[0-9]*7', '(\\w)\\d+', '^java[./](?:util|lang)[./].*', '(?:a|b)?c', '[(+*)]+', '\\(+', '(a)(b)', 'x{2}', '.*foo'];
  for (const source of ordinary) assert.ok(!mayBeSlow(source, 400), source);
  const doubtful = ['(a+)+', '(?:a|aa)+$', '(a*)*b', '((a+))*', '(x+x+)+y', '(.)\\1', '(?<n>a)\\k<n>', '(a{1,9}){1,9}', '(?:(?:a|b)c)*'];
  for (const source of doubtful) assert.ok(mayBeSlow(source, 10), source);
});

test('each repetition makes long texts longer', () => {
  assert.ok(!mayBeSlow('.*a', 9_000) && mayBeSlow('.*a', 11_000));
  assert.ok(!mayBeSlow('.*a.*b', 400) && mayBeSlow('.*a.*b', 500));
});

test('invisible characters are shown by number, others unchanged', () => {
  assert.equal(legible('a\u202eb\u0000\u200b'), 'a\\u202eb\\u0000\\u200b');
  for (const text of ['clojure.core/map', 'שלום/עולם', 'é', '𝒳', 'naïve—λ']) assert.equal(legible(text), text);
});
