// The list of transforms, applied to every stack in order.

import {make} from '../dom.js';
import {copyText} from '../menu.js';
import {pushButton, section} from './section.js';
import {notify} from '../status.js';
import {keep, recall} from '../storage.js';

const PRESETS_KEY = 'hearth-presets';

export class Transforms {
  /**
   * @param {Object} options types ([{type, label, what, replacement, gaps (labels of its fields, if it has them)}]), presets
   *     ([{label, transforms}]), read (text -> transforms, throws an Error with a message for the reader), write (transforms -> text),
   *     onChange (with the new list, and whether the reader is typing)
   */
  constructor(options) {
    this.options = options;
    const {element, body, showCount} = section({id: 'transforms', label: 'Transforms', isOpen: true});
    Object.assign(this, {element, showCount});
    this.list = make('ol', {'aria-label': 'Transforms in order'});
    this.hint = make('p', {class: 'hint'}, 'Transforms rewrite stacks: keep or remove stacks; rename, hide or merge frames.');
    this.problem = make('p', {class: 'problem', role: 'status', hidden: ''});
    body.append(this.hint, this.list, this.problem, this.adders(), this.actions());
  }

  adders() {
    const add = make('select', {id: 'add-transform', 'aria-label': 'Add a transform'});
    add.append(make('option', {value: ''}, 'Add…'),
               ...this.options.types.map(({type, label}) => make('option', {value: type}, label)));
    add.addEventListener('change', () => {
      if (add.value === '') return;
      const type = this.options.types.find((one) => one.type === add.value);
      this.add({type: type.type, ...(type.what && {what: ''}), ...(type.replacement && {replacement: ''}), enabled: true});
      add.value = '';
    });
    this.presets = make('select', {id: 'add-preset', 'aria-label': 'Add a preset'});
    this.presets.addEventListener('change', () => {
      const preset = this.allPresets()[this.presets.value];
      if (preset) this.options.onChange([...this.transforms, ...preset.transforms.map((one) => ({...one, enabled: true}))]);
      this.presets.value = '';
    });
    this.fillPresets();
    return make('div', {class: 'actions'}, add, this.presets);
  }

  allPresets() { return [...this.options.presets, ...savedPresets()]; }

  fillPresets() {
    this.presets.replaceChildren(make('option', {value: ''}, 'Presets…'),
                                 ...this.allPresets().map(({label}, i) => make('option', {value: i}, label)));
  }

  actions() {
    this.whole = make('div', {class: 'actions'},
                      pushButton('Copy as text', {id: 'copy-transforms'}, () => this.copy()),
                      pushButton('Paste…', {id: 'paste-transforms'}, () => this.openText()),
                      pushButton('Save as preset…', {id: 'save-preset'}, () => this.openName()));
    this.form = make('form', {class: 'entry', hidden: ''});
    return make('div', {}, this.whole, this.form);
  }

  add(transform) {
    this.options.onChange([...this.transforms, transform]);
    // Focus the new transform's field.
    this.list.lastElementChild?.querySelector('input[type="text"], select')?.focus();
  }

  /** @param {Object[]} transforms @param {string[]} problems  of each, '' if none @param {string[]} keys to group by */
  show(transforms, problems, keys) {
    this.keys = keys;
    const isSame = JSON.stringify(transforms) === JSON.stringify(this.transforms);
    this.transforms = transforms;
    this.showCount(transforms.filter(({enabled}) => enabled !== false).length);
    this.hint.hidden = transforms.length > 0;
    // Keep the field that the reader types in.
    if (!isSame && !this.isTyping) {
      const {id} = document.activeElement;
      this.list.replaceChildren(...transforms.map((transform, i) => this.itemOf(transform, i)));
      if (id) document.getElementById(id)?.focus();
    }
    [...this.list.children].forEach((item, i) => {
      const problem = item.querySelector('.problem');
      problem.textContent = problems[i] ?? '';
      problem.hidden = !problems[i];
    });
  }

  itemOf(transform, i) {
    const type = this.options.types.find((one) => one.type === transform.type);
    const box = make('input', {type: 'checkbox', id: `transform-${i}-on`, 'aria-label': `${type?.label ?? transform.type}: apply`});
    box.checked = transform.enabled !== false;
    box.addEventListener('change', () => this.change(i, {enabled: box.checked}));
    const fields = [];
    if (type?.what) fields.push(type.type === 'group' ? this.keyField(transform, i) : this.field(transform, i, 'what', type.what));
    if (type?.gaps) fields.push(this.gapsField(transform, i, type.gaps));
    if (type?.replacement) fields.push(this.field(transform, i, 'replacement', type.replacement));
    const button = (label, words, id, action, isOff) =>
        pushButton(label, {id: `transform-${i}-${id}`, 'aria-label': `${words}: ${type?.label}`, title: words, ...(isOff && {disabled: ''})}, action);
    return make(
        'li', {class: box.checked ? 'transform' : 'transform off'},
        make('div', {class: 'head'}, make('label', {}, box, make('span', {}, type?.label ?? transform.type)),
             make('span', {class: 'buttons'}, button('↑', 'Earlier', 'up', () => this.move(i, -1), i === 0),
                  button('↓', 'Later', 'down', () => this.move(i, 1), i === this.transforms.length - 1),
                  button('✕', 'Delete', 'delete', () => this.remove(i)))),
        ...fields, make('p', {class: 'problem', hidden: ''}));
  }

  field(transform, i, name, label) {
    const input = make('input', {
      type: 'text',
      id: `transform-${i}-${name}`,
      placeholder: label,
      'aria-label': label,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    input.value = transform[name] ?? '';
    input.addEventListener('input', () => {
      this.isTyping = true;
      this.options.onChange(this.changed(i, {[name]: input.value}), true);
      this.isTyping = false;
    });
    return input;
  }

  keyField(transform, i) {
    const select = make('select', {id: `transform-${i}-what`, 'aria-label': 'Label to group by'});
    const keys = this.keys.includes(transform.what) || !transform.what ? this.keys : [...this.keys, transform.what];
    select.append(...(transform.what ? [] : [make('option', {value: ''}, 'by…')]), ...keys.map((key) => make('option', {value: key}, key)));
    select.value = transform.what ?? '';
    select.addEventListener('change', () => this.change(i, {what: select.value}));
    return select;
  }

  gapsField(transform, i, label) {
    const box = make('input', {type: 'checkbox', id: `transform-${i}-gaps`});
    box.checked = transform.gaps === true;
    box.addEventListener('change', () => this.change(i, {gaps: box.checked}));
    return make('label', {class: 'small'}, box, label);
  }

  changed(i, fields) { return this.transforms.map((transform, at) => at === i ? {...transform, ...fields} : transform); }

  change(i, fields) { this.options.onChange(this.changed(i, fields)); }

  move(i, step) {
    const list = [...this.transforms];
    [list[i], list[i + step]] = [list[i + step], list[i]];
    this.options.onChange(list);
    const name = step < 0 ? 'up' : 'down';
    const moved = document.getElementById(`transform-${i + step}-${name}`);
    (moved?.disabled ? document.getElementById(`transform-${i + step}-${step < 0 ? 'down' : 'up'}`) : moved)?.focus();
  }

  remove(i) {
    this.options.onChange(this.transforms.filter((_, at) => at !== i));
    (document.getElementById(`transform-${Math.min(i, this.transforms.length - 1)}-delete`) ??
     document.getElementById('add-transform')).focus();
  }

  async copy() {
    const copied = await copyText(this.options.write(this.transforms));
    notify(copied ? 'Transforms copied' : 'Cannot copy: the browser denies access to the clipboard');
  }

  openText() {
    const area = make('textarea', {rows: '4', 'aria-label': 'Transforms as text', placeholder: 'Text from “Copy as text”', spellcheck: 'false'});
    this.openForm(area, 'Apply', () => this.take(area.value));
  }

  openName() {
    const name = make('input', {type: 'text', 'aria-label': 'Name of the preset', placeholder: 'Name of the preset', autocomplete: 'off'});
    this.openForm(name, 'Save', () => this.savePreset(name.value.trim()));
  }

  /** @param {function(): string} onSubmit  returns an error message, '' on success */
  openForm(field, label, onSubmit) {
    const opener = document.activeElement;
    const close = () => {
      this.form.hidden = true;
      this.showFormProblem('');
      opener?.focus();
    };
    this.form.replaceChildren(field, make('div', {class: 'actions'}, make('button', {type: 'submit'}, label),
                                          pushButton('Cancel', {}, close)));
    this.form.onsubmit = (event) => {
      event.preventDefault();
      const problem = onSubmit();
      this.showFormProblem(problem);
      if (problem === '') close();
    };
    this.form.hidden = false;
    field.focus();
  }

  showFormProblem(problem) {
    this.problem.textContent = problem;
    this.problem.hidden = problem === '';
  }

  take(text) {
    try {
      this.options.onChange(this.options.read(text));
      return '';
    } catch (error) {
      return error.message;
    }
  }

  savePreset(name) {
    if (name === '') return 'Enter a name for the preset.';
    const others = savedPresets().filter((preset) => preset.label !== name);
    const isKept = keep(PRESETS_KEY, JSON.stringify([...others, {label: name, transforms: this.transforms}]));
    if (!isKept) return 'The browser does not store data for this page. Use “Copy as text” instead.';
    this.fillPresets();
    notify(`Saved: ${name}`);
    return '';
  }
}

/** @return {{label: string, transforms: Object[]}[]} */
function savedPresets() {
  try {
    const presets = JSON.parse(recall(PRESETS_KEY) ?? '[]');
    return Array.isArray(presets) ? presets.filter(({label, transforms}) => label && Array.isArray(transforms)) : [];
  } catch (error) {
    return [];
  }
}
