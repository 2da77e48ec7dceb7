// Creates elements without markup: text from a profile is never parsed as HTML.

/** @param {string} id @return {HTMLElement} */
export function byId(id) { return document.getElementById(id); }

/** @param {string} tag @param {Object<string, string>} attributes @param {...(Node|string)} children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
