// Reads what format 2 has behind its header, and merges what reads alike: a page shows one frame for one method, however
// it was compiled and at whatever line.

import {hasPackage} from './kinds.js';

const KERNEL = 6;

/**
 * @param {Object} reader @param {Object} header @param {Object} parts readNames, readParents, readNodeFrames, readValues
 * @return {import('./decode.js').Profile}
 */
export function readMerged(reader, header, {readNames, readParents, readNodeFrames, readValues}) {
  const names = readNames(reader, header.names);
  const frames = Array.from({length: header.frames}, () => {
    const name = names[reader.index(header.names, 'name')];
    return {name, kind: reader.byte(), line: reader.varint()};
  });
  const parents = readParents(reader, header.nodes);
  const nodeFrames = readNodeFrames(reader, header.nodes, header.frames);
  readNames(reader, header.words);
  for (let sets = header.label_sets; sets > 0; sets--) {
    for (let labels = 2 * reader.varint(); labels > 0; labels--) reader.varint();
  }
  const rowCounts = readValues(reader, header.nodes);
  for (const column of [header.label_sets > 0, header.time !== null]) {
    for (let row = column ? header.rows : 0; row > 0; row--) reader.varint();
  }
  const sumRows = (square) => {
    const sums = new Float64Array(parents.length);
    for (let node = 1; node < parents.length; node++) {
      for (let row = rowCounts[node]; row > 0; row--) {
        const value = reader.varint();
        sums[node] += square ? value * value : value;
      }
    }
    return sums;
  };
  const selfs = header.values.map(() => sumRows(false));
  const variances = header.values.map(({deviations}) => deviations ? sumRows(true) : null);
  return merged({header, frames, parents, nodeFrames, selfs, variances});
}

/** What is read of a frame: those of one reading are one. */
function readingOf({name, kind, line}, view) {
  const isJava = kind !== KERNEL && hasPackage(kind);
  const text = view.lines && isJava && line > 0 ? `${name}:${line}` : name;
  return {text, key: kind === KERNEL ? `${text}_[k]` : view.kinds && isJava ? `${text}_[${kind}]` : text};
}

function merged({header, frames, parents, nodeFrames, selfs, variances}) {
  const readings = frames.map((frame) => readingOf(frame, header.view));
  const keys = [...new Set(readings.map(({key}) => key))].sort();
  const keyNumbers = new Map(keys.map((key, number) => [key, number]));
  const names = [...new Set(readings.map(({text}) => text))].sort();
  const nameNumbers = new Map(names.map((name, number) => [name, number]));
  const ranks = readings.map(({key}) => keyNumbers.get(key));
  const firsts = new Map();
  frames.forEach(({kind}, frame) => firsts.has(`${kind} ${ranks[frame]}`) || firsts.set(`${kind} ${ranks[frame]}`, frame));
  nodeFrames = nodeFrames.map((frame) => firsts.get(`${frames[frame]?.kind} ${ranks[frame]}`) ?? 0);
  const {order, places} = mergeNodes(parents, nodeFrames, ranks, keys.length);
  const sumUp = (column) => {
    const sums = new Float64Array(order.length);
    for (let node = 1; node < parents.length; node++) sums[places[node]] += column[node];
    return sums;
  };
  return {
    header,
    names,
    frameNames: Uint32Array.from(readings, ({text}) => nameNumbers.get(text)),
    frameKinds: Uint8Array.from(frames, ({kind}) => kind),
    parents: Uint32Array.from(order, (node) => places[parents[node]]),
    selfs: selfs.map(sumUp),
    deviations: variances.map((column) => column && sumUp(column).map(Math.sqrt)),
    ...kindsOf({parents, nodeFrames, frames, places, count: order.length, weights: selfs[selfs.length - 1]}),
  };
}

/** @return {{order: number[], places: Uint32Array}} a node of each merged one in preorder; the merged one of each */
function mergeNodes(parents, nodeFrames, ranks, rankCount) {
  const groups = new Uint32Array(parents.length);
  const known = new Map();
  const first = [0];
  for (let node = 1; node < parents.length; node++) {
    const key = groups[parents[node]] * rankCount + ranks[nodeFrames[node]];
    if (!known.has(key)) known.set(key, first.push(node) - 1);
    groups[node] = known.get(key);
  }
  const children = first.map(() => []);
  for (let group = 1; group < first.length; group++) children[groups[parents[first[group]]]].push(group);
  const rankOf = (group) => ranks[nodeFrames[first[group]]];
  const order = [];
  const placeOfGroup = new Uint32Array(first.length);
  for (const open = [0]; open.length > 0;) {
    const group = open.pop();
    placeOfGroup[group] = order.push(first[group]) - 1;
    open.push(...children[group].sort((a, b) => rankOf(b) - rankOf(a)));
  }
  return {order, places: groups.map((group) => placeOfGroup[group])};
}

/** The frame of each merged node is of the kind that weighs most there. */
function kindsOf({parents, nodeFrames, frames, places, count, weights}) {
  const totals = weights.slice();
  const parts = Array.from({length: count}, () => null);
  for (let node = parents.length - 1; node > 0; node--) {
    totals[parents[node]] += totals[node];
    const kinds = parts[places[node]] ??= new Map();
    const {kind} = frames[nodeFrames[node]];
    const part = kinds.get(kind) ?? {kind, total: 0, frame: nodeFrames[node]};
    part.total += totals[node];
    kinds.set(kind, part);
  }
  const kindParts = new Map();
  const chosen = Uint32Array.from(parts, (kinds, place) => {
    if (kinds === null) return 0;
    const all = [...kinds.values()].sort((a, b) => a.kind - b.kind);
    if (all.length > 1) kindParts.set(place, all.map(({kind, total}) => ({kind, total})));
    return all.reduce((a, b) => b.total > a.total ? b : a).frame;
  });
  return {frames: chosen, kindParts};
}
