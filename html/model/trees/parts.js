// Kinds and lines of the profile's nodes that are merged into a node of a tree.

import {isSeen, NOWHERE} from './shape.js';

/**
 * @param {import('./call_tree.js').CallTree|import('./grouped_tree.js').GroupedTree} tree @param {Float64Array[]} rowValues  row -> value, summed up
 * @return {{kinds: {kind: number, total: number}[], lines: {line: number, total: number}[]}} largest first
 */
export function partsOf(tree, node, rowValues = tree.rowValues) {
  const source = tree.sourceOf(node);
  const nodes = source === 0 ? [] : nodesOfProfile(tree.input.shape, source);
  const {frames, frameKinds, frameLines} = tree.profile;
  const kinds = new Map();
  const lines = new Map();
  let coveredUntil = 0;
  for (const part of nodes) {
    // A frame merged with its own caller is already counted with the caller.
    if (part < coveredUntil) continue;
    const {end, total} = valueBelow(tree, node, part, rowValues);
    coveredUntil = end;
    if (total === 0) continue;
    const frame = frames[part];
    kinds.set(frameKinds[frame], (kinds.get(frameKinds[frame]) ?? 0) + total);
    lines.set(frameLines[frame], (lines.get(frameLines[frame]) ?? 0) + total);
  }
  const largestFirst = (a, b) => b.total - a.total;
  return {
    kinds: [...kinds].map(([kind, total]) => ({kind, total})).sort(largestFirst),
    lines: [...lines].map(([line, total]) => ({line, total})).sort(largestFirst),
  };
}

/** @return {number[]} in ascending order; none if not known */
function nodesOfProfile(shape, node) {
  let nodes = [node];
  for (; shape.origin; shape = shape.origin.shape) {
    const {shape: before, places, sources} = shape.origin;
    if (sources) {
      // Group frames have no source.
      nodes = nodes.map((made) => sources[made]).filter((source) => source !== 0);
    } else {
      nodes = places ? nodesPlacedAt(before, places, nodes, shape.size) : [];
    }
  }
  return nodes;
}

function nodesPlacedAt(before, places, nodes, size) {
  const isWanted = new Uint8Array(size);
  for (const node of nodes) isWanted[node] = 1;
  const found = [];
  for (let node = 1; node < before.size; node++) {
    if (places[node] !== NOWHERE && isWanted[places[node]] && isSeen(before, places, node)) found.push(node);
  }
  return found;
}

/** Sums the stacks below a node of the profile that are also below a node of the tree. */
function valueBelow(tree, node, part, rowValues) {
  const {profile, profile: {rowNodes}} = tree;
  const end = endOf(profile, part);
  let total = 0;
  for (let row = firstRowFrom(rowNodes, part); row < rowNodes.length && rowNodes[row] < end; row++) {
    if (!tree.holds(node, row)) continue;
    for (const values of rowValues) total += values[row];
  }
  return {end, total};
}

function endOf({parents}, node) {
  let end = node + 1;
  while (end < parents.length && parents[end] >= node) end++;
  return end;
}

function firstRowFrom(rowNodes, node) {
  let low = 0;
  let high = rowNodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rowNodes[middle] < node) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
