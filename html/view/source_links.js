// Where "Open source" leads: a link that the reader gives, kept by the browser.

import {isLinkTemplate} from '../model/source.js';

import {make} from './dom.js';
import {section} from './section.js';
import {keep, recall} from './storage.js';

const KEY = 'hearth-source-link';

export class SourceLinks {
  constructor() {
    const {element, body, tell} = section({id: 'sources', label: 'Open source', isOpen: false});
    this.element = element;
    this.field = make('input', {
      type: 'text',
      id: 'source-link',
      placeholder: 'vscode://file/src/{file}:{line}',
      'aria-label': 'Link to a source file',
      'aria-describedby': 'source-hint',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    this.field.value = linkTemplate();
    this.hint = make('p', {id: 'source-hint', class: 'hint'});
    this.field.addEventListener('input', () => {
      const text = this.field.value.trim();
      if (text === '' || isLinkTemplate(text)) keep(KEY, text);
      this.explain(text);
      tell(isLinkTemplate(text) ? 1 : 0);
    });
    this.explain(this.field.value);
    body.append(make('div', {class: 'entry'}, this.field), this.hint);
  }

  explain(text) {
    this.hint.textContent = text !== '' && !isLinkTemplate(text) ?
        'This leads nowhere: begin with https:, vscode:, idea: or the like.' :
        'A link with {class}, {method}, {file} and {line} puts “Open source” into the menu of frames.';
  }

  focus() {
    this.element.open = true;
    this.field.focus();
  }
}

/** @return {string} '' where there is none */
export function linkTemplate() { return recall(KEY) ?? ''; }
