// Breadcrumbs: the path from the root to the zoomed frame. A click zooms out to a step. The frames that all stacks share are one step,
// which opens and folds them.

import {byId, make} from '../dom.js';

const SHOWN = 3;

/**
 * @param {{node: number, name: string}[]} path from the root, included, to the zoomed frame
 * @param {{names: string[], isOpen: boolean, toggle: function()}} trunk
 * @param {string} share of the zoomed frame @param {function(number)} onPick
 */
export function showCrumbs(path, trunk, share, onPick) {
  const crumbs = byId('crumbs');
  const hasTrunk = path.length > 0 && trunk.names.length > 0;
  crumbs.hidden = path.length < 2 && !hasTrunk;
  if (crumbs.hidden) return crumbs.replaceChildren();
  const hasFocus = document.activeElement?.id === 'toggle-trunk';
  const steps = path.slice(1 + (hasTrunk ? trunk.names.length : 0));
  const items = [path.length > 1 ? step(path[0], onPick) : here(path[0])];
  if (hasTrunk) items.push(trunkStep(trunk));
  const hidden = steps.slice(0, Math.max(0, steps.length - SHOWN));
  if (hidden.length === 1) {
    items.push(step(hidden[0], onPick));
  } else if (hidden.length > 1) {
    items.push(make('li', {class: 'gap'}, `${hidden.length} frames`));
  }
  const shown = steps.slice(hidden.length);
  for (const crumb of shown.slice(0, -1)) items.push(step(crumb, onPick));
  // A frame of the trunk is named, too.
  if (shown.length > 0 || path.length > 1) items.push(here(shown.at(-1) ?? path.at(-1)));
  crumbs.replaceChildren(make('ol', {}, ...items), make('span', {class: 'share'}, share));
  if (hasFocus) byId('toggle-trunk')?.focus();
  return undefined;
}

function step({node, name}, onPick) {
  const button = make('button', {type: 'button', title: name}, name);
  button.addEventListener('click', () => onPick(node));
  return make('li', {}, button);
}

function here({name}) { return make('li', {class: 'here', 'aria-current': 'true', title: name}, name); }

function trunkStep({names, isOpen, toggle}) {
  const title = `${isOpen ? 'Hide' : 'Show'} the frames that all stacks share:\n${names.join('\n')}`;
  const button = make('button', {type: 'button', id: 'toggle-trunk', 'aria-expanded': isOpen, title}, `${names.length} frames`);
  button.addEventListener('click', toggle);
  return make('li', {class: 'trunk'}, button);
}
