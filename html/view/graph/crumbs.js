// Breadcrumbs: the path from the root to the zoomed frame. A click zooms out to a step.

import {byId, make} from '../dom.js';

const SHOWN = 3;

/**
 * @param {{node: number, name: string}[]} path from the root, included, to the zoomed frame
 * @param {string} share of the zoomed frame @param {function(number)} onPick
 */
export function showCrumbs(path, share, onPick) {
  const crumbs = byId('crumbs');
  crumbs.hidden = path.length < 2;
  if (crumbs.hidden) return crumbs.replaceChildren();
  const hidden = path.slice(1, Math.max(1, path.length - SHOWN));
  const shown = path.slice(hidden.length + 1);
  const items = [step(path[0], onPick)];
  if (hidden.length === 1) {
    items.push(step(hidden[0], onPick));
  } else if (hidden.length > 1) {
    items.push(make('li', {class: 'gap'}, `${hidden.length} frames`));
  }
  for (const crumb of shown.slice(0, -1)) items.push(step(crumb, onPick));
  items.push(make('li', {class: 'here', 'aria-current': 'true', title: shown.at(-1).name}, shown.at(-1).name));
  crumbs.replaceChildren(make('ol', {}, ...items), make('span', {class: 'share'}, share));
}

function step({node, name}, onPick) {
  const button = make('button', {type: 'button', title: name}, name);
  button.addEventListener('click', () => onPick(node));
  return make('li', {}, button);
}
