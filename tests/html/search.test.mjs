import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {compileHighlight, compilePattern, escapePattern, matchFrames, StackMatches} from '../../html/model/search.js';
import {finish} from '../../html/model/work.js';

import {treeOf as derived} from './derive.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

function treeOf(...stacks) {
  const described = stacks.map(
      ([path, count]) => ({frames: path.split(';').map((name) => [name, KIND.jit]), values: [count, count]}));
  return derived(decodePayload(encodePayload(columnsOf(described))));
}

function matchesOf(tree, text) { return finish(StackMatches.of(tree, matchFrames(tree.table, compilePattern(text).regex))); }

test('nothing to search for is no pattern', () => {
  assert.equal(compilePattern(''), null);
});

test('small letters match capitals, a capital makes the pattern exact', () => {
  assert.ok(compilePattern('nexttoken').regex.test('Parser.nextToken'));
  assert.ok(!compilePattern('NextToken').regex.test('Parser.nextToken'));
  assert.ok(compilePattern('\\Sexttoken').regex.test('Parser.nextToken'));
});

test("flags after a highlight's slashes decide whether case matters", () => {
  const matches = (text, name) => compileHighlight(text).regex.test(name);
  assert.ok(matches('/STRING/i', 'java/lang/String.indexOf'));
  assert.ok(!matches('/string/', 'java/lang/String.indexOf'));
  assert.ok(matches('string', 'java/lang/String.indexOf'));
  assert.ok(matches('/(/', 'a/(/b'));
});

test('an invalid regular expression is searched literally, with a notice', () => {
  for (const text of ['foo(', '[unknown', '*bang', 'a{2,1}', '\\']) {
    const {regex, problem} = compilePattern(text);
    assert.ok(regex.test(`before ${text} after`), text);
    assert.match(problem, /^Not a regular expression \(.+\): searched for as plain text$/);
    assert.doesNotMatch(problem, /Invalid regular expression/i);
  }
  assert.equal(compilePattern('a.*b').problem, '');
});

test('an escaped name finds itself only', () => {
  for (const name of ['cheshire.parse/parse*', '[unknown_Java]', 'a/B$C.<init>(I)V', 'x->y?|^+{}\\']) {
    const regex = new RegExp(`^${escapePattern(name)}$`);
    assert.ok(regex.test(name));
    assert.ok(!regex.test(name + 'x'));
  }
});

test('a stack counts once, however many of its frames match', () => {
  const tree = treeOf(['m;f;f;g', 8], ['m;f', 4], ['m;x', 2], ['m;x;f', 1]);
  const matches = matchesOf(tree, '^f$');
  assert.equal(matches.value, 13);
  assert.equal(matches.nodes, 3);
  assert.equal(matches.share(), 13 / 15);
});

test('a match includes its callees and not its callers', () => {
  const tree = treeOf(['m', 1], ['m;a;b', 2], ['m;c', 4]);
  assert.equal(matchesOf(tree, '^a$').value, 2);
  assert.equal(matchesOf(tree, '^m$').value, 7);
  assert.equal(matchesOf(tree, 'nowhere').value, 0);
});

test('a node knows whether it or one below it matches', () => {
  const tree = treeOf(['m;a;b', 1], ['m;c', 1]);
  const names = (text) => {
    const matches = matchesOf(tree, text);
    return [1, 2, 3, 4].filter((node) => matches.within(node)).join('');
  };
  assert.equal(names('^b$'), '123');
  assert.equal(names('^c$'), '14');
  assert.equal(names('zzz'), '');
});

test('an empty profile has no share to speak of', () => {
  assert.equal(matchesOf(treeOf(), 'x').share(), 0);
});
