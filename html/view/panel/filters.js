// Filters by threads and labels: the values of each label with their shares, and which are selected.

import {keptValues} from '../../model/trees/filters.js';
import {formatShare, formatValue} from '../../model/text/numbers.js';
import {isGroupedBy} from '../../model/view_state.js';

import {make} from '../dom.js';
import {pushButton, section} from './section.js';

const MOST_VALUES = 100;
// The most useful labels come first.
const FIRST = ['thread', 'state'];

export class Filters {
  /**
   * @param {{setLabel: function(string, (string|number|null)[]), group: function(string)}} commands  setLabel: selected values of a label
   *     (none: all); group: groups stacks by a label or ungroups them
   */
  constructor(commands) {
    this.commands = commands;
    const {element, body, showCount} = section({id: 'filters', label: 'Threads and labels', isOpen: true});
    Object.assign(this, {element, body, showCount});
    this.searched = new Map();
    this.open = new Map();
  }

  /**
   * @param {{key: string, values: {value: (string|number|null), total: number}[]}[]} labels  totals in the current value
   * @param {import('../../model/view_state.js').ViewState} place @param {Object} valueType
   */
  show(labels, viewState, valueType) {
    const chosen = viewState.labels;
    Object.assign(this, {labels: [...labels].sort((a, b) => rank(a) - rank(b)), viewState, chosen, valueType});
    this.showCount(Object.values(chosen).filter((values) => values.length > 0).length);
    const nothing = make('p', {class: 'hint'}, 'This profile has no labels.');
    this.replace(labels.length === 0 ? [nothing] : this.labels.map((label, i) => this.labelOf(label, i)));
  }

  /** Replaces the children and keeps the focus. */
  replace(children) {
    const {id} = document.activeElement;
    this.body.replaceChildren(...children);
    if (id) this.body.querySelector(`#${CSS.escape(id)}`)?.focus();
  }

  labelOf(label, index) {
    const {key, values} = label;
    const picked = keptValues(this.chosen, key);
    const isOpen = this.open.get(key) ?? (index === 0 || picked.length > 0);
    const list = make('ul', {'aria-label': `Values of ${key}`});
    const parts = [list];
    if (values.length > 8) parts.unshift(this.searchOf(label, list));
    const bar = make('div', {class: 'actions'}, this.groupButton(key));
    if (picked.length > 0) bar.append(pushButton('Clear', {id: `all-${key}`}, () => this.commands.setLabel(key, [])));
    const count = picked.length > 0 ? `${picked.length} of ${values.length}` : `${values.length}`;
    const element = make('details', {class: 'label', 'data-key': key, ...(isOpen && {open: ''})},
                         make('summary', {}, key, make('span', {class: 'count quiet'}, count)), ...parts, bar);
    element.addEventListener('toggle', () => this.open.set(key, element.open));
    this.fill(label, list);
    return element;
  }

  groupButton(key) {
    const isOn = isGroupedBy(this.viewState, key);
    const attributes = {id: `group-${key}`, 'aria-pressed': isOn, ...(isOn && {title: 'Press again to ungroup'})};
    return pushButton(`Group by ${key}`, attributes, () => this.commands.group(key));
  }

  searchOf(label, list) {
    const field = make('input', {
      type: 'search',
      id: `find-${label.key}`,
      placeholder: `Find in ${label.values.length} values`,
      'aria-label': `Find values of ${label.key}`,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    field.value = this.searched.get(label.key) ?? '';
    field.addEventListener('input', () => {
      this.searched.set(label.key, field.value);
      this.fill(label, list);
    });
    return field;
  }

  fill(label, list) {
    const wanted = (this.searched.get(label.key) ?? '').toLowerCase();
    const picked = new Set(keptValues(this.chosen, label.key));
    const whole = label.values.reduce((sum, {total}) => sum + total, 0);
    const found = label.values.filter(({value}) => textOf(value, label).toLowerCase().includes(wanted));
    found.sort((a, b) => b.total - a.total);
    const items = found.slice(0, MOST_VALUES).map((item, i) => this.itemOf(label, item, whole, picked, i));
    if (found.length > MOST_VALUES) items.push(make('li', {class: 'hint'}, `${found.length - MOST_VALUES} more: type to find them`));
    if (found.length === 0) items.push(make('li', {class: 'hint'}, 'No matching values.'));
    list.replaceChildren(...items);
  }

  itemOf(label, {value, total}, whole, picked, i) {
    const {key} = label;
    const box = make('input', {type: 'checkbox', id: `value-${key}-${i}`});
    box.checked = picked.has(value);
    box.addEventListener('change', () => {
      if (box.checked) {
        picked.add(value);
      } else {
        picked.delete(value);
      }
      this.commands.setLabel(key, [...picked]);
    });
    const bar = make('span', {class: 'bar-of-share'});
    bar.style.setProperty('--share-of-all', whole > 0 ? total / whole : 0);
    const text = textOf(value, label);
    return make('li', {}, make('label', {title: `${text}: ${formatValue(total, this.valueType)}`}, box,
                               make('span', {class: value === null ? 'value none' : 'value'}, text),
                               make('span', {class: 'share'}, formatShare(total, whole)), bar));
  }
}

function textOf(value, {key, unit}) {
  if (value === null) return `no ${key}`;
  return typeof value === 'number' && unit ? formatValue(value, {type: key, unit}) : String(value);
}

function rank({key}) {
  const at = FIRST.indexOf(key);
  return at < 0 ? FIRST.length : at;
}
