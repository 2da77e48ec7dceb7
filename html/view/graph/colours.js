// Colours of frames. They are mixed in OKLCH, where equal lightness looks equal, so that the contrast is the same for every
// hue. A test checks that text has a contrast of at least 4.5 to 1 on each colour.

const SHADES = 4;
const GREW_HUE = 38;
const SHRANK_HUE = 250;

// Hue in degrees; chroma relative to the theme's; lightness added to the theme's.
const FAMILY_COLOURS = {
  clojure: {hue: 248, chroma: 1.1, lift: -0.005},
  clojureInlined: {hue: 236, chroma: 0.62, lift: 0.04},
  clojureC1: {hue: 276, chroma: 0.95, lift: -0.005},
  clojureInterpreted: {hue: 304, chroma: 0.85, lift: 0.02},
  java: {hue: 152, chroma: 1.1, lift: -0.005},
  javaInlined: {hue: 150, chroma: 0.55, lift: 0.045},
  javaC1: {hue: 126, chroma: 1, lift: 0.015},
  javaInterpreted: {hue: 186, chroma: 0.85, lift: 0.01},
  cpp: {hue: 88, chroma: 1, lift: 0.02},
  native: {hue: 20, chroma: 0.95, lift: 0},
  kernel: {hue: 54, chroma: 1.1, lift: 0},
  stub: {hue: 340, chroma: 0.5, lift: 0},
  class: {hue: 214, chroma: 0.85, lift: 0.02},
  thread: {hue: 260, chroma: 0.12, lift: 0},
  state: {hue: 232, chroma: 0.3, lift: -0.03},
  holder: {hue: 350, chroma: 0.95, lift: -0.05},
  waker: {hue: 105, chroma: 0.5, lift: -0.03},
  virtual: {hue: 290, chroma: 0.5, lift: -0.05},
  marker: {hue: 260, chroma: 0.08, lift: 0.05},
};

// Highlights and matches also differ in lightness, so that they can be distinguished with any partial colour blindness.
export const THEMES = {
  light: {
    lightness: 0.855,
    chroma: 0.088,
    step: 0.016,
    page: [251, 250, 248],
    text: '#1c1b1a',
    root: [226, 224, 220],
    match: [0.78, 0.135, 335],
    highlights: [[0.68, 0.15, 75], [0.68, 0.15, 180], [0.68, 0.15, 300], [0.8, 0.15, 120], [0.88, 0.15, 330], [0.91, 0.15, 150]],
    bar: [0.78, 0.1],
    noise: [0.925, 0.006, 90],
    changes: [[0.9, 0.045], [0.855, 0.08], [0.8, 0.115], [0.735, 0.155]],
  },
  dark: {
    lightness: 0.415,
    chroma: 0.072,
    step: -0.016,
    page: [22, 23, 26],
    text: '#f4f3f1',
    root: [54, 56, 61],
    match: [0.51, 0.17, 340],
    highlights: [[0.52, 0.12, 75], [0.52, 0.12, 165], [0.53, 0.14, 290], [0.4, 0.12, 45], [0.4, 0.12, 180], [0.4, 0.12, 300]],
    bar: [0.5, 0.09],
    noise: [0.31, 0.006, 260],
    changes: [[0.37, 0.05], [0.415, 0.085], [0.46, 0.115], [0.505, 0.145]],
  },
};

/**
 * @param {'light'|'dark'} themeName @param {string[]} familyIds in the order of their numbers
 * @return {{text: string, plain: string[], faded: string[], match: string[], root: string, merged: string}} plain,
 *     faded and match hold one colour per family and shade, see shadeIndex()
 */
export function makePalette(themeName, familyIds) {
  const theme = THEMES[themeName];
  const plain = [];
  const faded = [];
  const match = [];
  for (const id of familyIds) {
    const {hue, chroma, lift} = FAMILY_COLOURS[id];
    for (let shade = 0; shade < SHADES; shade++) {
      const colour = oklchToRgb(theme.lightness + lift + (shade - 1.5) * theme.step, theme.chroma * chroma, hue);
      const [lightness, strength, matchHue] = theme.match;
      plain.push(toHex(colour));
      faded.push(toHex(mix(colour, theme.page, 0.62)));
      match.push(toHex(oklchToRgb(lightness + (shade - 1.5) * theme.step, strength, matchHue)));
    }
  }
  const root = toHex(theme.root);
  return {
    text: theme.text,
    page: toHex(theme.page),
    plain,
    faded,
    match,
    root,
    merged: toHex(mix(theme.root, theme.page, 0.35)),
    mergedMatch: match[0],
    highlights: highlightsOf(theme),
    ...barsOf(theme),
  };
}

function highlightsOf({highlights}) { return highlights.map((colour) => toHex(oklchToRgb(...colour))); }

/** Colours of the time strip: kept values, and values that filters remove. */
function barsOf({bar, root}) {
  return {bar: toHex(oklchToRgb(...bar, GREW_HUE)), quietBar: toHex(root)};
}

/**
 * Vermilion for growth and blue for decrease, distinguishable with all kinds of colour blindness. Stronger changes are more
 * colourful. Matches of a search keep their colour; other frames fade.
 * @param {'light'|'dark'} themeName @return {Object} as makePalette(): one colour for each of SHADES_OF_CHANGE
 */
export function makeDifferencePalette(themeName) {
  const theme = THEMES[themeName];
  const ramp = (hue) => theme.changes.map(([lightness, chroma]) => oklchToRgb(lightness, chroma, hue));
  const noise = oklchToRgb(...theme.noise);
  const grew = ramp(GREW_HUE);
  const shrank = ramp(SHRANK_HUE);
  const colours = [noise, ...grew, ...shrank, grew.at(-1), shrank.at(-1)];
  const plain = colours.map(toHex);
  const root = toHex(theme.root);
  return {
    text: theme.text,
    page: toHex(theme.page),
    plain,
    faded: colours.map((colour) => toHex(mix(colour, theme.page, 0.5))),
    match: plain,
    root,
    merged: toHex(mix(theme.root, theme.page, 0.35)),
    mergedMatch: toHex(oklchToRgb(...theme.match)),
    highlights: highlightsOf(theme),
    ...barsOf(theme),
    // Another fill colour would look like a change.
    underlines: true,
  };
}

/** First index of each kind of change in a difference's palette; growth and decrease have four shades, weak to strong. */
export const SHADES_OF_CHANGE = {
  noise: 0,
  grew: 1,
  shrank: 5,
  new: 9,
  vanished: 10
};

/** @return {string} colour of a family in the legend */
export function colourOfFamily(palette, family) { return palette.plain[family * SHADES + 1]; }

/** Gives all frames of a class or namespace the same shade, so that neighbouring classes are distinguishable. */
export function shadeIndex(family, name) {
  const scope = name.replace(/\(.*/s, '').replace(/[./:][^./:]*$/, '');
  let hash = 0;
  for (let i = 0; i < scope.length; i++) hash = (Math.imul(hash, 31) + scope.charCodeAt(i)) | 0;
  return family * SHADES + ((hash ^ (hash >>> 15)) & (SHADES - 1));
}

/** @return {number} WCAG 2 contrast of two colours like #a1b2c3, 1 to 21 */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex) {
  const linear = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** Reduces chroma until the colour fits into sRGB; clipping would change hue and lightness. */
function oklchToRgb(lightness, chroma, hue) {
  for (let most = chroma;; most -= 0.004) {
    const parts = linearRgb(lightness, most, hue).map((linear) => linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
    if (most <= 0 || parts.every((part) => part >= 0 && part <= 1)) return parts.map((part) => 255 * Math.min(1, Math.max(0, part)));
  }
}

/** Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab/ */
function linearRgb(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue * Math.PI / 180);
  const b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
  ];
}

function mix(colour, other, share) { return colour.map((part, i) => part + (other[i] - part) * share); }

function toHex(rgb) { return '#' + rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join(''); }
