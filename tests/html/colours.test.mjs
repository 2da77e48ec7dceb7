// Colours as people with a colour vision deficiency see them.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {makeDifferencePalette, makePalette, SHADES_OF_CHANGE} from '../../html/view/graph/colours.js';

// Of linear RGB: Machado, Oliveira and Fernandes 2009, severity 1.
const EYES = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
// To the cones of OKLab, and from them to lightness and two hues.
const CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]];
const LAB = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]];
// In OKLab; 0.02 is the least visible difference side by side.
const FAR = 0.06;
const SEEN = 0.03;

const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * vector[i], 0));

function seen(hex, eyes) {
  const linear = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return times(LAB, times(CONES, times(EYES[eyes], linear).map((part) => Math.max(0, part))).map(Math.cbrt));
}

function assertApart(one, other, least, words) {
  for (const eyes of Object.keys(EYES)) {
    const [a, b] = [one, other].map((colour) => seen(colour, eyes));
    const distance = Math.hypot(...a.map((part, i) => part - b[i]));
    assert.ok(distance >= least, `${words}, ${eyes}: ${one} and ${other} are ${distance.toFixed(3)} apart`);
  }
}

for (const theme of ['light', 'dark']) {
  test(`growth, shrinkage and chance differ for colour-blind readers, ${theme}`, () => {
    const {plain} = makeDifferencePalette(theme);
    const {noise, grew, shrank} = SHADES_OF_CHANGE;
    for (let strength = 0; strength < 4; strength++) {
      assertApart(plain[grew + strength], plain[shrank + strength], FAR, `strength ${strength}`);
      for (const side of [grew, shrank]) assertApart(plain[side + strength], plain[noise], SEEN, `strength ${strength} and chance`);
    }
  });

  test(`highlights and matches differ for colour-blind readers, ${theme}`, () => {
    const {highlights, mergedMatch} = makePalette(theme, ['java']);
    const all = [...highlights, mergedMatch];
    all.forEach((one, i) => all.slice(0, i).forEach((other) => assertApart(one, other, FAR, 'highlights')));
  });
}
