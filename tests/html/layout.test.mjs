import assert from 'node:assert/strict';
import {test} from 'node:test';

import {decodePayload} from '../../html/model/data/decode.js';
import {Layout, startOf} from '../../html/model/trees/layout.js';

import {treeOf as derived, turnedOver} from './derive.mjs';
import {forest} from './examples.mjs';
import {columnsOf, encodePayload, KIND} from './make_page.mjs';

function treeOf(...stacks) {
  const described = stacks.map(
      ([path, count]) => ({frames: path.split(';').map((name) => [name, KIND.jit]), values: [count, count]}));
  return derived(decodePayload(encodePayload(columnsOf(described))));
}

function arrange(tree, view = {}) {
  const layout = new Layout();
  layout.arrange(tree, {from: 0, to: tree.totals[tree.root], width: 100, byWidth: false, ...view});
  return layout;
}

/** Rows of `name start+size`, merged rectangles as `*count`. */
function rowsOf(layout) {
  const {tree, nodes, merged, starts, sizes, rowStarts} = layout;
  const nameOf = (node) => node === tree.root ? 'all' : tree.nameOf(node);
  return rowStarts.slice(0, -1).map((begin, row) => {
    const cells = [];
    for (let i = begin; i < rowStarts[row + 1]; i++) {
      const name = merged.values[i] ? `*${merged.values[i]}` : nameOf(nodes.values[i]);
      cells.push(`${name} ${starts.values[i]}+${sizes.values[i]}`);
    }
    return cells.join(' | ');
  });
}

const SERVICE = () => treeOf(['m;a', 10], ['m;b;x', 50], ['m;b', 10], ['m;c', 30]);

test('children stand side by side from the left edge of their parent, its own part is at the right', () => {
  assert.deepEqual(rowsOf(arrange(SERVICE())), ['all 0+100', 'm 0+100', 'a 0+10 | b 10+60 | c 70+30', 'x 10+50']);
});

test('sorted by width, the widest is leftmost', () => {
  const rows = rowsOf(arrange(SERVICE(), {byWidth: true}));
  assert.deepEqual(rows, ['all 0+100', 'm 0+100', 'b 0+60 | c 60+30 | a 90+10', 'x 0+50']);
});

test('only visible frames are laid out', () => {
  const rows = rowsOf(arrange(SERVICE(), {from: 70, to: 100}));
  assert.deepEqual(rows, ['all 0+100', 'm 0+100', 'c 70+30']);
});

test('neighbours narrower than a pixel become one rectangle', () => {
  const narrow = Array.from({length: 30}, (_, i) => [`m;f${10 + i}`, 1]);
  const tree = treeOf(...narrow, ['m;z', 970], ['m;zz', 4]);
  const rows = rowsOf(arrange(tree));
  // Four thousandths are less than a pixel of a hundred, and alone: nothing is drawn for them.
  assert.deepEqual(rows.slice(2), ['*30 0+30 | z 30+970']);
});

test('sorted by width, all that is narrow is one rectangle at the end', () => {
  const narrow = Array.from({length: 30}, (_, i) => [`m;${i % 2 ? 'a' : 'z'}${10 + i}`, 1]);
  const rows = rowsOf(arrange(treeOf(...narrow, ['m;k', 970]), {byWidth: true}));
  assert.deepEqual(rows.slice(2), ['k 0+970 | *30 970+30']);
});

test('a merged rectangle knows whether it contains a match', () => {
  const tree = treeOf(['m;a1', 1], ['m;a2', 1], ['m;b', 100], ['m;c1', 1], ['m;c2', 1]);
  const hits = (wanted) => {
    const layout = arrange(tree, {isHit: (node) => node === wanted});
    return [...layout.hits.values.subarray(0, layout.count)].join('');
  };
  assert.equal(hits(-1), '00000');
  assert.equal(hits(3), '00100');
  assert.equal(hits(6), '00001');
});

test('a point finds the rectangle that covers it', () => {
  const layout = arrange(SERVICE());
  const at = (row, value) => {
    const found = layout.find(row, value);
    return found < 0 ? 'none' : rowsOf(layout)[row].split(' | ')[found - layout.rowStarts[row]].split(' ')[0];
  };
  assert.deepEqual([0, 9.9, 10, 69, 70, 99].map((value) => at(2, value)), ['a', 'a', 'b', 'b', 'c', 'c']);
  assert.deepEqual([5, 10, 59, 60].map((value) => at(3, value)), ['none', 'x', 'x', 'none']);
  assert.deepEqual([at(-1, 5), at(9, 5)], ['none', 'none']);
});

test('rectangles and nodes find each other', () => {
  const layout = arrange(SERVICE());
  for (let i = 0; i < layout.count; i++) assert.equal(layout.findNode(layout.nodes.values[i]), i);
  assert.deepEqual([0, 1, 2, 4, 5].map((i) => layout.rowOf(i)), [0, 1, 2, 2, 3]);
});

for (const byWidth of [false, true]) {
  for (const kind of ['call', 'caller']) {
    test(`a zoomed ${kind} tree is a part of the whole one, ${byWidth ? 'by width' : 'by name'}`, () => {
      const callTree = derived(decodePayload(encodePayload(forest(3000, 5))), 1);
      const tree = kind === 'call' ? callTree : turnedOver(callTree);
      const whole = arrange(tree, {width: 4000, byWidth});
      const starts = new Map();
      for (let i = 0; i < whole.count; i++) {
        if (whole.merged.values[i] === 0) starts.set(whole.nodes.values[i], whole.starts.values[i]);
      }
      assert.ok(starts.size > 300);
      let checked = 0;
      for (const [node, start] of starts) {
        if (checked++ % 61 !== 0) continue;
        assert.equal(startOf(tree, node, byWidth), start);
        const zoomed = arrange(tree, {from: start, to: start + tree.totals[node], width: 4000, byWidth});
        for (let i = 0; i < zoomed.count; i++) {
          const known = zoomed.merged.values[i] === 0 ? starts.get(zoomed.nodes.values[i]) : undefined;
          if (known !== undefined) assert.equal(zoomed.starts.values[i], known);
        }
      }
    });
  }
}

test('rectangles of a row never overlap and lie within their parents', () => {
  const tree = derived(decodePayload(encodePayload(forest(20000, 9))), 1);
  for (const byWidth of [false, true]) {
    const {rowStarts, starts, sizes} = arrange(tree, {width: 1200, byWidth});
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let i = rowStarts[row] + 1; i < rowStarts[row + 1]; i++) {
        assert.ok(starts.values[i] >= starts.values[i - 1] + sizes.values[i - 1]);
      }
    }
  }
});
