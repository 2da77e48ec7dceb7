import assert from 'node:assert/strict';
import {test} from 'node:test';

import {readPath, writePath} from '../../html/model/trees/call_tree.js';
import {decodePayload} from '../../html/model/data/decode.js';
import {Engine} from '../../html/model/trees/engine.js';
import {familiesOfFrames} from '../../html/model/data/kinds.js';
import {exactly, parsePattern} from '../../html/model/transforms/pattern.js';
import {similarName} from '../../html/model/transforms/similar_names.js';
import {problemOf} from '../../html/model/transforms/transforms.js';
import {finish} from '../../html/model/work.js';

import {listing, pictureOf, treeOf} from './derive.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';
import {applyPlainly, filterPlainly, listingPlainly, NAMES, plainStacks, profileColumns, randomNumbers, randomStacks} from './plain_stacks.mjs';

const STEPS = [
  {type: 'filter', what: 'x.y/f'},
  {type: 'filter', what: '/^f$/'},
  {type: 'filter', what: '/c.*map/'},
  {type: 'filter', what: 'a/B.c;f'},
  {type: 'filter', what: '/B\\.[cd];(?:.*;)?f/'},
  {type: 'filter', what: '/f(?!;g)/'},
  {type: 'filter', what: '/(?<!g;)f/'},
  {type: 'filter', what: '/^(?!.*f).*$/'},
  {type: 'filter', what: '/X\\.Y.*;F$/i'},
  {type: 'filter', what: '/ma{0,1}p?;.*f/'},
  {type: 'filter', what: '/f.*;.*core\\/map$/'},
  {type: 'filter', what: '/(?<!g;)clojure.*map/'},
  {type: 'remove', what: '/[fg];.*lambda/i'},
  {type: 'filter', what: '/core\\/+m.*;(?:f|g)/'},
  {type: 'remove', what: '/f(?=;g)/'},
  {type: 'remove', what: '/^g/'},
  {type: 'remove', what: 'F'},
  {type: 'remove', what: '/b;/'},
  {type: 'replace', what: '/^clojure\\.core\\/(\\w+).*$/', replacement: 'core/$1'},
  {type: 'replace', what: '/B\\.(.)/', replacement: 'C.$1$1'},
  {type: 'replace', what: '/^x\\.y\\/f$/', replacement: ''},
  {type: 'replace', what: '/^[a-f].*?$/', replacement: 'z'},
  {type: 'replace', what: '/(f|g);(?:f|g)/', replacement: '$1'},
  {type: 'replace', what: 'a/B.c', replacement: 'one;two'},
  {type: 'replace', what: '/;g.*/', replacement: ';rest'},
  {type: 'replace', what: '/core.*;(g|f)/', replacement: '$1'},
  {type: 'hide', what: '/clojure|Lambda/'},
  {type: 'hide', what: '/./'},
  {type: 'hide', what: exactly('b;odd')},
  {type: 'fold', what: '/^(f|x)/'},
  {type: 'collapse-recursion'},
  {type: 'collapse-recursion', what: 'f'},
  {type: 'collapse-recursion', what: '', gaps: true},
  {type: 'collapse-recursion', what: '/^(f|g|a.*)$/', gaps: true},
  {type: 'merge-similar'},
  {type: 'group', what: 'thread'},
  {type: 'group', what: 'bytes'},
  {type: 'keep-below', what: '/^[fg]$/'},
  {type: 'keep-above', what: '/^[fg]$/'},
];

const profileOf = (stacks) => decodePayload(encodePayload(profileColumns(stacks)));

function check(stacks, transforms, filters = {}) {
  const profile = profileOf(stacks);
  const tree = treeOf(profile, 0, {transforms, filters});
  const expected = applyPlainly(filterPlainly(plainStacks(stacks), filters), transforms);
  assert.deepEqual(listing(tree), listingPlainly(expected), JSON.stringify(transforms));
  // Of other steps a picture is made as the whole is.
  if (transforms.at(-1)?.type === 'group') {
    assert.deepEqual(factsOf(pictureOf(profile, 0, {transforms, filters})), factsOf(tree), JSON.stringify(transforms));
  }
  const whole = expected.reduce((sum, {stack}) => sum + stack.values[0], 0);
  assert.equal(tree.totals[tree.root], whole);
  for (let node = 1; node < tree.parents.length; node++) {
    assert.ok(tree.parents[node] < node && tree.ends[node] <= tree.ends[tree.parents[node]], 'nodes are in preorder');
  }
}

/** All that a flame graph shows of each node, and its legend. */
function factsOf(tree) {
  const facts = [];
  const visit = (node) => {
    const {kinds, lines} = tree.partsOf(node);
    facts.push([writePath(tree, node), tree.lookOf(node), tree.totals[node], tree.selfAt(node), tree.variancesAt(node), kinds, lines]);
    for (let child = tree.firstChild(node); child !== 0; child = tree.nextSibling(child)) visit(child);
  };
  visit(tree.root);
  return [facts, finish(tree.selfOfFamilies(familiesOfFrames(tree.table)))];
}

test('parts that each match has are known', () => {
  const cases = [
    ['/ab;cd/', ['ab', 'cd']], ['/ab.*cd$/', ['ab', 'cd']], ['/a\\.b\\/c+d/', ['a.b/c']], ['/abc?de*/', ['ab']], ['/ab+c/', ['ab']],
    ['/abc{0,2}de/', ['ab', 'de']], ['/ab{cd/', ['ab', 'cd']], ['/ab(?:cd)?(ef|gh)ij/', ['ab', 'ij']], ['/(?!abc)de/', ['de']],
    ['/ab|cd/', []], ['/[ab]{2}\\w\\d\\x41/', []], ['/[(]ab/', ['ab']], ['/AB/i', ['AB']], ['/AB/iu', []],
    ['/(?<año>f).*\\k<año>cd/', ['cd']], ['/aµb\\;cc/', ['cc']],
    ['ab.(c)', ['ab.(c)']],
  ];
  for (const [what, literals] of cases) assert.deepEqual(parsePattern(what).literals, literals, what);
  const ends = [['/a.*bc$/', true], ['/a.*b/', false], ['/bc.*/', false], ['/bc(d)?/', false], ['/ab.*bc+/', false], ['/(?!a).*bc/', false]];
  for (const [what, isEnd] of ends) assert.equal(parsePattern(what).endsWithLiteral, isEnd, what);
});

for (const step of STEPS) {
  test(`each stack alone gives the same result: ${JSON.stringify(step)}`, () => {
    for (let seed = 1; seed <= 12; seed++) check(randomStacks(seed), [step]);
  });
}

test('one after the other, whatever the order', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = randomNumbers(1000 + seed);
    const steps = Array.from({length: 1 + Math.floor(random() * 4)}, () => STEPS[Math.floor(random() * STEPS.length)]);
    check(randomStacks(seed, 40), steps);
  }
});

test('reused memory of an earlier tree does not change the next', () => {
  for (const [at, count] of [300, 12, 40, 400, 15, 90, 500].entries()) {
    for (const step of STEPS) check(randomStacks(77 + at, count), [step]);
  }
});

test('many siblings are found among many', () => {
  const random = randomNumbers(5);
  const stacks = Array.from({length: 4000}, () => ({
    frames: [['m', KIND.jit], [`x${Math.floor(random() * 3)}`, KIND.jit], [`n${Math.floor(random() * 500)}`, KIND.jit], ['z', KIND.jit]],
    values: [1, 1],
    labels: {},
  }));
  check(stacks, [{type: 'hide', what: '/^x/'}]);
  check(stacks, [{type: 'replace', what: '/^x\\d/', replacement: 'x'}, {type: 'replace', what: '/^(n\\d).*/', replacement: '$1'}]);
});

test('unchanged parts are copied, however large', () => {
  const names = Array.from({length: 17_000}, (_, i) => `n${10_000 + i}`);
  const stack = (...frames) => ({frames: frames.map((name) => [name, KIND.jit]), values: [1, 1], labels: {}});
  const stacks = [stack('m', 'gone', 'b'), ...names.map((name) => stack('m', 'a', name, 'x'))];
  const tree = treeOf(profileOf(stacks), 0, {transforms: [{type: 'hide', what: 'gone'}]});
  const copied = names.flatMap((name) => [`m;a;${name} 1`, `m;a;${name};x 1`]);
  assert.deepEqual(listing(tree), ['m 17001', 'm;a 17000', ...copied, 'm;b 1']);
});

test('labels and time leave rows out, together with transforms', () => {
  const filters = [
    {labels: {thread: ['main', 'worker 1']}},
    {labels: {thread: [null]}},
    {labels: {thread: ['worker 2'], bytes: [-16]}},
    {labels: {bytes: [32, null], state: []}},
    {time: {from_ns: 20e6, to_ns: 60e6}},
    {time: {from_ns: 10e6, to_ns: 21e6}, labels: {thread: ['main']}},
    {time: {from_ns: 0, to_ns: 1}},
    {time: null, labels: {}},
  ];
  for (const filter of filters) {
    for (let seed = 1; seed <= 6; seed++) {
      check(randomStacks(seed), [], filter);
      check(randomStacks(seed), [{type: 'group', what: 'thread'}, {type: 'merge-similar'}], filter);
    }
  }
});

test('names are in one order here and in the profile', () => {
  const stacks = [['P', '\ufffda'], ['P', '\u{1f600}b'], ['Q', 'P', '\ufffda']];
  check(stacks.map((frames) => ({frames: frames.map((name) => [name, KIND.jit]), values: [1, 10]})), [{type: 'hide', what: 'Q'}]);
});

test('a step that is off, or cannot be taken, is left out', () => {
  const stacks = randomStacks(3);
  const steps = [{type: 'hide', what: 'f', enabled: false}, {type: 'filter', what: '/(/'}, {type: 'group', what: 'nothing'}];
  assert.deepEqual(listing(treeOf(profileOf(stacks), 0, {transforms: steps})), listingPlainly(plainStacks(stacks)));
});

test('an impossible transform is reported', () => {
  const profile = profileOf(randomStacks(1));
  const problem = (step) => problemOf(step, profile);
  assert.equal(problem({type: 'merge-similar'}), '');
  assert.equal(problem({type: 'collapse-recursion'}), '');
  assert.match(problem({type: 'melt'}), /Unknown transform "melt"\. Known: filter, remove/);
  assert.match(problem({type: 'toString'}), /Unknown transform/);
  assert.match(problem({type: 'hide', what: ''}), /Enter a pattern for "hide"/);
  assert.match(problem({type: 'hide', what: 7}), /must be text/);
  assert.match(problem({type: 'filter', what: '/(/'}), /\/\(\/ is not a regular expression: unterminated group\.$/);
  assert.match(problem({type: 'group', what: 'request'}), /Unknown label "request"\. Known: .*thread/);
});

test('steps that have not changed are not taken again', () => {
  const engine = new Engine(profileOf(randomStacks(4)));
  const [hide, group, fold] = [{type: 'hide', what: 'g'}, {type: 'group', what: 'thread'}, {type: 'fold', what: 'f'}];
  const shapeOf = (transforms, lens = 0, filters = {}) => finish(engine.derive({lens, transforms, filters})).shape;
  const shape = shapeOf([hide, group]);
  assert.equal(shapeOf([hide, group], 1, {labels: {thread: ['main']}}), shape);
  assert.equal(shapeOf([hide, {...fold, enabled: false}, group]), shape);
  assert.notEqual(shapeOf([fold, group]), shape);
  assert.equal(shapeOf([]), shapeOf([{type: 'hide', what: 'nowhere', enabled: false}]));
});

test('the profile is parted by lines and kinds when that is asked for', () => {
  const stacks = [['f', KIND.jit, 3, 1], ['f', KIND.jit, 4, 2], ['f', KIND.inlined, 3, 4]].map(
      ([name, kind, line, value]) => ({frames: [['m', KIND.jit], [name, kind, line], ['g', KIND.jit]], values: [value, value]}));
  const profile = decodePayload(encodePayload(columnsOf(stacks)));
  assert.deepEqual(listing(treeOf(profile)), ['m 7', 'm;f 7', 'm;f;g 7']);
  const lines = treeOf(profile, 0, {parted: {lines: true}});
  assert.deepEqual(listing(lines), ['m 7', 'm;f 5', 'm;f;g 5', 'm;f 2', 'm;f;g 2']);
  assert.deepEqual([1, 2, 4].map((node) => lines.table.lineOf(lines.frames[node])), [0, 3, 4]);
  assert.deepEqual(listing(treeOf(profile, 0, {parted: {kinds: true}})), ['m 7', 'm;f 3', 'm;f;g 3', 'm;f 4', 'm;f;g 4']);
  assert.equal(listing(treeOf(profile, 0, {parted: {lines: true, kinds: true}})).length, 7);
});

test('a node knows the kinds and lines that were merged into it, through every transform', () => {
  const stacks = [['f', KIND.jit, 3, 1], ['f', KIND.jit, 4, 2], ['f', KIND.inlined, 3, 4]].map(([name, kind, line, value], i) => ({
    frames: [['m', KIND.jit, 1], ['x', KIND.jit], [name, kind, line], ['g', KIND.jit]],
    values: [value, 10 * value],
    labels: {thread: i === 0 ? 'a' : 'b'},
  }));
  const profile = decodePayload(encodePayload(columnsOf(stacks)));
  const partsOf = (name, transforms, filters) => {
    const tree = treeOf(profile, 0, {transforms, filters});
    const nodes = [...tree.frames.keys()].filter((node) => node > 0 && tree.nameOf(node) === name && tree.totals[node] > 0);
    return nodes.map((node) => {
      const {kinds, lines} = tree.partsOf(node);
      return [kinds.map(({kind, total}) => `${kind}:${total}`).join(), lines.map(({line, total}) => `${line}:${total}`).join(), tree.table.frameKinds.values[tree.lookOf(node)]];
    });
  };
  const both = [['3:4,2:3', '3:5,4:2', KIND.inlined]];
  assert.deepEqual(partsOf('f', []), both);
  assert.deepEqual(partsOf('f', [{type: 'hide', what: 'x'}, {type: 'keep-below', what: 'f'}]), both);
  assert.deepEqual(partsOf('f', [{type: 'filter', what: 'g'}], {labels: {thread: ['a']}}), [['2:1', '3:1', KIND.inlined]]);
  assert.deepEqual(partsOf('f', [{type: 'group', what: 'thread'}]), [['2:1', '3:1', KIND.inlined], ['3:4,2:2', '3:4,4:2', KIND.inlined]]);
  assert.deepEqual(partsOf('m', [{type: 'group', what: 'thread'}]), [['2:1', '1:1', KIND.jit], ['2:6', '1:6', KIND.jit]]);
  assert.deepEqual(partsOf('[a]', [{type: 'group', what: 'thread'}]).map(([kinds, lines]) => kinds + lines), ['']);
  assert.deepEqual(partsOf('q', [{type: 'replace', what: 'x;f', replacement: 'q'}]), [['', '', KIND.jit]]);
});

test('generated names lose their numbers, others keep them', () => {
  const cases = [
    ['user/eval12/fn--4', KIND.jit, 'user/eval/fn'], ['a/B$$Lambda$14/0x00ff.run', KIND.jit, 'a/B$$Lambda.run'],
    ['jdk/proxy2/$Proxy12.x', KIND.jit, 'jdk/proxy2/$Proxy.x'], ['LambdaForm$MH1/0x1.f', KIND.jit, 'LambdaForm$MH.f'],
    ['a/B2.c3', KIND.jit, 'a/B2.c3'], ['fn--12abc', KIND.jit, 'fn--12abc'], ['f--1(Lx/2;)V', KIND.jit, 'f(Lx/2;)V'],
    ['f--1', KIND.native, 'f--1'], ['[worker tid=12]', KIND.thread, '[worker]'],
    ['GeneratedMethodAccessor17.invoke', KIND.jit, 'GeneratedMethodAccessor.invoke'],
  ];
  for (const [name, kind, similar] of cases) assert.equal(similarName(name, kind), similar);
});

test('a pattern for one name is of no other', () => {
  for (const name of NAMES) {
    const stacks = NAMES.map((other) => ({frames: [['m', KIND.jit], [other, KIND.jit]], values: [1, 1], labels: {}}));
    assert.equal(treeOf(profileOf(stacks), 0, {transforms: [{type: 'keep-below', what: exactly(name)}]}).totals[0], 1);
  }
});

test('the way to a node leads back to it, also by names that transforms have made', () => {
  const transforms = [{type: 'replace', what: '/^x\\.(.*)$/', replacement: 'new.$1~'}, {type: 'group', what: 'thread'}];
  const profile = profileOf(randomStacks(8));
  const [tree, again] = [0, 1].map(() => treeOf(profile, 0, {transforms}));
  for (let node = 0; node < tree.frames.length; node++) assert.equal(readPath(again, writePath(tree, node)), node);
  const another = treeOf(profile, 0, {transforms: [transforms[1], transforms[0]]});
  const path = writePath(tree, tree.firstChild(tree.firstChild(0)));
  assert.equal(another.nameOf(readPath(another, path)), tree.nameOf(readPath(tree, path)));
});
