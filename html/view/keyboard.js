// Keys to commands. In a field, keys are text, but Escape and Enter stay commands of the search.

import {isMenuKey} from './virtual_table.js';

/**
 * @param {Object<string, function(KeyboardEvent)>} commands by key name; a key of one letter is told from its capital
 *     only when both are named
 * @param {function(): boolean} isFree  whether the graph has the keys; when it has not, only Escape and ? are commands
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
    // A focused button or link is pressed by Enter.
    if (event.key === 'Enter' && event.target.matches('a, button, summary, input')) return;
    run(commands[event.key] ?? commands[event.key.toLowerCase()], event);
  });
}

function run(command, event) {
  if (!command) return;
  event.preventDefault();
  command(event);
}
