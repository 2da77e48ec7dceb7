// Maps keys to commands. In a field, keys are text, except Escape, and Enter in the search field.

import {isMenuKey} from './tables/virtual_table.js';

/**
 * @param {Object<string, function(KeyboardEvent)>} commands by key name; a letter and its capital are distinct
 *     only if both are given
 * @param {function(): boolean} isFree  whether the graph receives keys; if not, only Escape and ? are commands
 */
export function bindKeys(commands, isFree) {
  document.addEventListener('keydown', (event) => {
    const withControl = event.ctrlKey || event.metaKey;
    if (withControl && event.key.toLowerCase() === 'f' && isFree()) return run(commands.Search, event);
    if (withControl || event.altKey) return;
    if (!isFree() && event.key !== 'Escape' && event.key !== '?') return;
    const isTyping = event.target.matches('input:not([type="checkbox"]), select, textarea');
    if (isTyping && event.key !== 'Escape') return;
    if (isMenuKey(event)) return run(commands.Menu, event);
    // Enter activates the focused button or link.
    if (event.key === 'Enter' && event.target.matches('a, button, summary, input')) return;
    run(commands[event.key] ?? commands[event.key.toLowerCase()], event);
  });
}

function run(command, event) {
  if (!command) return;
  event.preventDefault();
  command(event);
}
