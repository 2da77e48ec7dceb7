// The form that starts a session: events first, other options in "More options".

import {byId, make} from '../../view/dom.js';
import {sentenceOf} from '../model/api.js';
import {bodyOf, fieldOfMessage, fieldsOf, firstValues, GROUPS, withoutOption} from '../model/form.js';

const FRONT = ['cpu', 'wall', 'alloc', 'lock', 'events', 'front'];

export class StartForm {
  /** @param {function(Object): Promise} onStart with the options; rejects with Refused */
  constructor(onStart) {
    this.onStart = onStart;
    this.form = byId('options');
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /** Builds the form from the agent's options. Keeps typed values as long as the options are the same. */
  offer(options) {
    const text = JSON.stringify(options);
    if (text === this.offered) return;
    this.offered = text;
    this.fields = fieldsOf(options);
    this.values = firstValues(this.fields);
    const groups = new Map(GROUPS.map((group) => [group.id, this.groupOf(group)]));
    const measures = make('fieldset', {class: 'measures'}, make('legend', {}, 'What to measure'));
    for (const id of FRONT.slice(0, -1)) {
      if (groups.get(id).children.length > 0) measures.append(groups.get(id));
    }
    const more = make('details', {class: 'more'}, make('summary', {}, 'More options'));
    for (const {id} of GROUPS) {
      if (!FRONT.includes(id)) more.append(groups.get(id));
    }
    this.form.replaceChildren(
        measures, groups.get('front'), more,
        make('div', {class: 'bar end'}, make('button', {type: 'submit', id: 'begin', class: 'primary'}, 'Start'),
             make('p', {id: 'start-problem', class: 'problem', role: 'alert', hidden: ''})));
  }

  groupOf({id, label, means}) {
    const fields = this.fields.filter((field) => field.group === id);
    const isMeasure = means !== undefined;
    const host = make(isMeasure ? 'div' : 'fieldset', {class: `options ${isMeasure ? 'measure' : id}`});
    if (!isMeasure && label) host.append(make('legend', {}, label));
    host.append(...fields.map((field) => this.controlOf(field, isMeasure ? means : '')));
    return host;
  }

  /** @return {HTMLElement} the field with its label, its hint and its error message */
  controlOf(field, means) {
    const id = `option-${field.name}`;
    const problem = make('p', {id: `${id}-problem`, class: 'problem', hidden: ''});
    const parts = field.kind === 'flag'     ? [this.flag(field, id)] :
                  field.kind === 'optional' ? this.optional(field, id, means) :
                                              [this.labelled(field, id)];
    return make('div', {class: `option ${field.kind}`, 'data-option': field.name}, ...parts, problem);
  }

  flag(field, id) {
    const box = make('input', {type: 'checkbox', id, 'aria-describedby': `${id}-problem`});
    box.addEventListener('change', () => this.set(field, box.checked));
    const means = field.means || (field.label === field.name ? '' : field.name);
    return make('label', {class: 'check', title: field.about}, box, make('span', {}, field.label), make('small', {}, means));
  }

  optional(field, id, means) {
    const box = make('input', {type: 'checkbox', id, 'aria-describedby': `${id}-problem`});
    box.checked = this.values[field.name].isOn;
    const value = this.input(field, `${id}-value`);
    value.setAttribute('aria-label', `${field.label}: ${field.accepts}`);
    const update = () => this.set(field, {isOn: box.checked, value: value.value});
    box.addEventListener('change', update);
    value.addEventListener('input', () => {
      box.checked = true;
      update();
    });
    const label = make('label', {class: 'check'}, box, make('span', {}, field.label), make('small', {}, means));
    const every = field.choices.length > 0 ? [] : [make('span', {class: 'label', 'aria-hidden': 'true'}, means ? 'every' : '')];
    return [label, make('div', {class: 'field'}, ...every, value)];
  }

  labelled(field, id) {
    const input = this.input(field, id);
    input.addEventListener('input', () => this.set(field, input.value));
    return make('label', {class: 'field'}, make('span', {class: 'label'}, field.label), input);
  }

  /** The control of a value. Its tooltip shows the option's meaning and the accepted values. */
  input(field, id) {
    const attributes = {id, title: `${field.about}. Accepted: ${field.accepts}`, 'aria-describedby': `option-${field.name}-problem`};
    if (field.choices.length > 0) {
      const first = field.kind === 'optional' ? [] : [make('option', {value: ''}, 'default')];
      return make('select', attributes, ...first, ...field.choices.map((word) => make('option', {value: word}, field.words[word] ?? word)));
    }
    if (field.kind === 'lines') {
      return make('textarea', {...attributes, rows: '2', placeholder: `${field.example}, one per line`, spellcheck: 'false'});
    }
    return make('input', {...attributes, type: 'text', placeholder: field.example, autocomplete: 'off', spellcheck: 'false'});
  }

  set(field, value) {
    this.values[field.name] = value;
    this.showProblem('', '');
  }

  async submit() {
    if (this.isBusy) return;
    const {body, problem} = bodyOf(this.fields, this.values);
    if (problem) return this.showProblem(problem.field, problem.message);
    this.showProblem('', '');
    this.isBusy = true;
    byId('begin').setAttribute('aria-disabled', 'true');
    try {
      await this.onStart(body);
    } catch (error) {
      this.showProblem(error.status === 400 ? fieldOfMessage(error.message, this.fields) : '', sentenceOf(error));
    } finally {
      this.isBusy = false;
      byId('begin').removeAttribute('aria-disabled');
    }
  }

  /** Shows an error at its field, or next to the button. */
  showProblem(name, message) {
    for (const place of this.form.querySelectorAll('.problem')) {
      place.hidden = true;
      place.textContent = '';
    }
    for (const input of this.form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
    if (message === '') return;
    const place = byId(name ? `option-${name}-problem` : 'start-problem');
    place.textContent = name ? withoutOption(message) : message;
    place.hidden = false;
    if (!name) return;
    const host = place.closest('.option');
    host.closest('details')?.setAttribute('open', '');
    const input = host.querySelector('.field :is(input, select, textarea)') ?? host.querySelector('input');
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  }
}
