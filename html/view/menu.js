// A popup menu, opened by right click, long press or a button.

import {byId, make} from './dom.js';

export class Menu {
  constructor() {
    this.element = byId('menu');
    document.addEventListener('pointerdown', (event) => {
      if (!this.element.contains(event.target)) this.close();
    });
    this.element.addEventListener('keydown', (event) => this.onKey(event));
  }

  get isOpen() { return !this.element.hidden; }

  /**
   * @param {?[string, Function, string=][]} entries  label, action, equivalent key; null: a separator
   * @param {{x: number, y: number}} point
   */
  open(entries, point) {
    this.element.replaceChildren(...entries.map((entry) => {
      if (!entry) return make('hr', {role: 'separator'});
      const [label, action, key] = entry;
      const button = make('button', {type: 'button', role: 'menuitem', tabindex: '-1'}, label);
      if (key) button.append(make('kbd', {}, key));
      button.addEventListener('click', () => {
        this.close();
        action();
      });
      return button;
    }));
    this.opener = document.activeElement;
    this.element.hidden = false;
    const {width, height} = this.element.getBoundingClientRect();
    this.element.style.left = `${Math.max(8, Math.min(point.x, innerWidth - width - 8))}px`;
    this.element.style.top = `${Math.max(8, Math.min(point.y, innerHeight - height - 8))}px`;
    this.element.firstElementChild.focus();
  }

  /** Closes the menu and restores the focus if the menu has it. */
  close() {
    const hasFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (hasFocus) this.opener?.focus();
  }

  onKey(event) {
    const items = [...this.element.querySelectorAll('button')];
    const at = items.indexOf(document.activeElement);
    const next = {ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1}[event.key];
    if (event.key === 'Tab') this.close();
    if (next === undefined) return;
    items[next % items.length].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @return {Promise<boolean>} whether copying succeeded */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    return copyBySelection(text);
  }
}

/** For pages over plain HTTP, which have no clipboard API. */
function copyBySelection(text) {
  const area = make('textarea', {class: 'offscreen', readonly: ''});
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
