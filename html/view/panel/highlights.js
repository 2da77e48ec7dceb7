// Highlights: patterns; matching frames get a colour.

import {MOST_HIGHLIGHTS} from '../../model/view_state.js';

import {make} from '../dom.js';
import {pushButton, section} from './section.js';

export class Highlights {
  /** @param {function(string[])} onChange with the new patterns */
  constructor(onChange) {
    this.onChange = onChange;
    const {element, body, showCount} = section({id: 'highlights', label: 'Highlights', isOpen: true});
    Object.assign(this, {element, showCount});
    this.list = make('ul', {'aria-label': 'Highlights'});
    this.field = make('input', {
      type: 'text',
      id: 'add-highlight',
      placeholder: 'Frames to colour (regular expression)',
      'aria-label': 'Add a highlight (regular expression)',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    const form = make('form', {class: 'entry'}, this.field);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.add(this.field.value);
    });
    body.append(this.list, form);
  }

  add(pattern) {
    if (pattern === '' || this.patterns.includes(pattern)) return;
    this.field.value = '';
    // Drop the oldest one if there are no more colours.
    this.onChange([...this.patterns, pattern].slice(-MOST_HIGHLIGHTS));
  }

  /** @param {string[]} patterns @param {string[]} shares  of each @param {string[]} colours */
  show(patterns, shares, colours) {
    this.patterns = patterns;
    this.showCount(patterns.length);
    this.list.replaceChildren(...patterns.map((pattern, i) => {
      const swatch = make('span', {class: 'swatch'});
      swatch.style.background = colours[i];
      const remove = pushButton('✕', {'aria-label': `Delete the highlight ${pattern}`, title: 'Delete'}, () => {
        this.onChange(this.patterns.filter((other) => other !== pattern));
        this.field.focus();
      });
      return make('li', {class: 'highlight'}, swatch, make('code', {title: pattern}, pattern), make('span', {class: 'share'}, shares[i]), remove);
    }));
  }
}
