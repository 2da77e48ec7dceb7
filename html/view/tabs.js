// Tabs of the views. Arrow keys move between them.

import {byId, make} from './dom.js';

const VIEWS = [
  {id: 'flame', label: 'Flame graph', title: 'Call stacks; the width of a frame is its share of the value'},
  {id: 'callers', label: 'Callers', title: 'Inverted tree: methods by self value, and their callers'},
  {id: 'sandwich', label: 'Sandwich', title: 'One method: callers above, callees below'},
  {id: 'tree', label: 'Tree', title: 'The call tree as an expandable table'},
  {id: 'top', label: 'Top', title: 'Methods by self value'},
  {id: 'changes', label: 'Changes', title: 'All methods that changed, and by how much'},
  {id: 'packages', label: 'Packages', title: 'Values by package or Clojure namespace'},
  {id: 'lines', label: 'Lines', title: 'One method, line by line'},
];

export class Tabs {
  /** @param {string[]} ids of the available views @param {function(string)} onChoose with one */
  constructor(ids, onChoose) {
    this.views = VIEWS.filter(({id}) => ids.includes(id));
    this.onChoose = onChoose;
    this.host = byId('views');
    this.tabs = this.views.map(({id, label, title}, i) => {
      const key = i + 1;
      const tab = make(
          'button',
          {type: 'button', role: 'tab', id: `view-${id}`, title: `${title} (${key})`, 'aria-controls': 'stage', 'aria-keyshortcuts': key},
          label);
      tab.addEventListener('click', () => onChoose(id));
      return tab;
    });
    this.host.replaceChildren(...this.tabs);
    this.host.addEventListener('keydown', (event) => this.onKey(event));
  }

  show(view) {
    const isAnother = view !== this.shown;
    this.shown = view;
    this.views.forEach(({id}, i) => {
      this.tabs[i].setAttribute('aria-selected', id === view);
      this.tabs[i].tabIndex = id === view ? 0 : -1;
      if (isAnother && id === view) this.tabs[i].scrollIntoView({block: 'nearest', inline: 'nearest'});
    });
    byId('stage').setAttribute('aria-labelledby', `view-${view}`);
  }

  onKey(event) {
    const at = this.tabs.indexOf(document.activeElement);
    const count = this.tabs.length;
    const next = {ArrowLeft: at - 1 + count, ArrowRight: at + 1, Home: 0, End: count - 1}[event.key];
    if (next === undefined || at < 0) return;
    this.tabs[next % count].focus();
    this.onChoose(this.views[next % count].id);
    event.preventDefault();
    event.stopPropagation();
  }
}
