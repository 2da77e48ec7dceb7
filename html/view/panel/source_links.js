// The link template of "Open source", stored in the browser.

import {isLinkTemplate} from '../../model/text/source.js';

import {make} from '../dom.js';
import {section} from './section.js';
import {keep, recall} from '../storage.js';

const KEY = 'hearth-source-link';

export class SourceLinks {
  constructor() {
    const {element, body, showCount} = section({id: 'sources', label: 'Open source', isOpen: false});
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
      showCount(isLinkTemplate(text) ? 1 : 0);
    });
    this.explain(this.field.value);
    body.append(make('div', {class: 'entry'}, this.field), this.hint);
  }

  explain(text) {
    this.hint.textContent = text !== '' && !isLinkTemplate(text) ?
        'Not a link: start with https:, vscode:, idea: or the scheme of another editor.' :
        'Adds “Open source” to the frame menu. Placeholders: {class}, {method}, {file}, {line}.';
  }

  focus() {
    this.element.open = true;
    this.field.focus();
  }
}

/** @return {string} '' if none is set */
export function linkTemplate() { return recall(KEY) ?? ''; }
