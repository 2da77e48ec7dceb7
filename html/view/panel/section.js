// A section of the side panel: a heading that opens and closes it, and the number of active items.

import {make} from '../dom.js';

/**
 * @param {{id: string, label: string, isOpen: boolean}} options
 * @return {{element: HTMLElement, body: HTMLElement, showCount: function(number)}} showCount() shows the number of active items
 */
export function section({id, label, isOpen}) {
  const count = make('span', {class: 'count', hidden: ''});
  const body = make('div', {class: 'body'});
  const element = make('details', {id, class: 'section', ...(isOpen && {open: ''})}, make('summary', {}, label, count), body);
  const showCount = (many) => {
    count.textContent = many;
    count.hidden = many === 0;
  };
  return {element, body, showCount};
}

/** @param {string} label @param {Object<string, string>} attributes @param {Function} action */
export function pushButton(label, attributes, action) {
  const button = make('button', {type: 'button', ...attributes}, label);
  button.addEventListener('click', action);
  return button;
}
