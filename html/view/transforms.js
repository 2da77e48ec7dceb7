// The list of transforms: what is done to every stack before it is shown, one after the other.

import {make} from './dom.js';
import {copyText} from './menu.js';
import {pushButton, section} from './section.js';
import {say} from './status.js';
import {keep, recall} from './storage.js';

const PRESETS_KEY = 'hearth-presets';

export class Transforms {
  /**
   * @param {Object} options types ([{type, label, what (what its field is for, if it has it), replacement, gaps (the same)}]), presets
   *     ([{label, transforms}]), read (text -> transforms, throws an Error that says what is wrong), write (transforms -> text),
   *     onChange (with the new list, and whether the reader is typing)
   */
  constructor(options) {
    this.options = options;
    const {element, body, tell} = section({id: 'transforms', label: 'Transforms', isOpen: true});
    Object.assign(this, {element, tell});
    this.list = make('ol', {'aria-label': 'Transforms, in their order'});
    this.hint = make('p', {class: 'hint'}, 'Rewrite stacks: keep or drop them, rename, hide, fold and merge frames.');
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
    // What is new is filled in next.
    this.list.lastElementChild?.querySelector('input[type="text"], select')?.focus();
  }

  /** @param {Object[]} transforms @param {string[]} problems  of each, '' where there is none @param {string[]} keys to group by */
  show(transforms, problems, keys) {
    this.keys = keys;
    const isSame = JSON.stringify(transforms) === JSON.stringify(this.transforms);
    this.transforms = transforms;
    this.tell(transforms.filter(({enabled}) => enabled !== false).length);
    this.hint.hidden = transforms.length > 0;
    // While the reader types, the field that is typed in stays.
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
    const box = make('input', {type: 'checkbox', id: `transform-${i}-on`, 'aria-label': `${type?.label ?? transform.type}: apply it`});
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
    say(copied ? 'Transforms copied' : 'The browser does not let this page copy');
  }

  openText() {
    const area = make('textarea', {rows: '4', 'aria-label': 'Transforms as text', placeholder: 'Text of “Copy as text”', spellcheck: 'false'});
    this.openForm(area, 'Take', () => this.take(area.value));
  }

  openName() {
    const name = make('input', {type: 'text', 'aria-label': 'Name of the preset', placeholder: 'Name of the preset', autocomplete: 'off'});
    this.openForm(name, 'Save', () => this.savePreset(name.value.trim()));
  }

  /** @param {function(): string} onSubmit  returns what is wrong, '' when it is done */
  openForm(field, label, onSubmit) {
    const opener = document.activeElement;
    const close = () => {
      this.form.hidden = true;
      this.tellProblem('');
      opener?.focus();
    };
    this.form.replaceChildren(field, make('div', {class: 'actions'}, make('button', {type: 'submit'}, label),
                                          pushButton('Cancel', {}, close)));
    this.form.onsubmit = (event) => {
      event.preventDefault();
      const problem = onSubmit();
      this.tellProblem(problem);
      if (problem === '') close();
    };
    this.form.hidden = false;
    field.focus();
  }

  tellProblem(problem) {
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
    if (name === '') return 'Give the preset a name.';
    const others = savedPresets().filter((preset) => preset.label !== name);
    const isKept = keep(PRESETS_KEY, JSON.stringify([...others, {label: name, transforms: this.transforms}]));
    if (!isKept) return 'The browser keeps nothing for this page: copy the transforms as text instead.';
    this.fillPresets();
    say(`Saved: ${name}`);
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
