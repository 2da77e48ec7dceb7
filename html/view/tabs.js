// The views as tabs: one is shown, arrows move between them.

import {byId, make} from './dom.js';

const VIEWS = [
  {id: 'flame', label: 'Flame graph', title: 'Who calls whom, as wide as its share'},
  {id: 'callers', label: 'Callers', title: 'The tree turned over: what ran, and below it who called it'},
  {id: 'sandwich', label: 'Sandwich', title: 'One method: its callers above, what it calls below'},
  {id: 'tree', label: 'Tree', title: 'The call tree as a table that opens step by step'},
  {id: 'top', label: 'Top', title: 'Methods by what they used themselves'},
  {id: 'changes', label: 'Changes', title: 'Every method that changed, and by how much'},
  {id: 'packages', label: 'Packages', title: 'By package or Clojure namespace'},
  {id: 'lines', label: 'Lines', title: 'One method line by line'},
];

export class Tabs {
  /** @param {string[]} ids of the views that there are @param {function(string)} onChoose with one */
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
