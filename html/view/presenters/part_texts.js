// Tooltip text for the kinds and lines merged into a frame.

import {sharesOfKinds} from '../../model/data/kinds.js';
import {formatShare} from '../../model/text/numbers.js';

const MOST_LINES = 3;

/** @param {Object} parts of partsOf() @return {string[]} execution kinds of a method, and its hottest lines */
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
