// What was merged into a frame, for a tooltip.

import {sharesOfKinds} from '../model/kinds.js';
import {formatShare} from '../model/numbers.js';

const MOST_LINES = 3;

/** @param {Object} parts of partsOf() @return {string[]} how a method was run, and where in it most was */
export function partTexts({kinds, lines}) {
  const texts = [];
  const shares = sharesOfKinds(kinds);
  if (shares.length > 1) texts.push(shares.map(({word, share}) => `${word} ${formatShare(share, 1)}`).join(' · '));
  const known = lines.filter(({line}) => line > 0).sort((a, b) => b.total - a.total);
  const whole = lines.reduce((sum, {total}) => sum + total, 0);
  if (known.length > 0 && whole > 0) {
    const shown = known.slice(0, MOST_LINES).map(({line, total}) => `${line} ${formatShare(total, whole)}`);
    texts.push(`line ${shown.join(' · ')}${known.length > MOST_LINES ? ' · …' : ''}`);
  }
  return texts;
}
