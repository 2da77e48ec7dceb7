// The table of stored profiles: open, download, delete, compare two.

import {formatCount} from '../../model/text/numbers.js';
import {byId, make} from '../../view/dom.js';
import {notify} from '../../view/status.js';
import {sentenceOf} from '../model/api.js';
import {arrange, cellsOf, COLUMNS, fileName, FORMATS, isOwn, nameOf, orderAfter, pick, qualityOf} from '../model/stored.js';

import {showProblem} from './problem.js';
import {openTab} from './tab.js';

/** @return {string} message for an empty table */
function nothingText(jvm, others) {
  if (others === 0) return 'No profiles yet. Stopped sessions are stored here.';
  return `No profiles of ${jvm.main || 'this program'} yet. Profiles of other programs are hidden: ${formatCount(others)}.`;
}

const pathOf = (profile, ending = '') => `/api/profiles/${encodeURIComponent(profile.id)}${ending}`;

export class StoredView {
  /** @param {import('../../view/menu.js').Menu} menu @param {function(Error): boolean} onTrouble true if it was reported */
  constructor(api, menu, onTrouble) {
    this.api = api;
    this.menu = menu;
    this.onTrouble = onTrouble;
    this.profiles = [];
    this.picked = [];
    this.order = {column: 'start', isUp: false};
    this.hasOthers = false;
    byId('filter').addEventListener('input', () => this.show());
    for (const id of ['others', 'show-others']) byId(id).addEventListener('click', () => this.showOthers(!this.hasOthers));
    byId('keep').addEventListener('click', () => byId('ask').close());
    byId('confirm').addEventListener('click', () => this.removeAsked());
    this.showHeads();
  }

  /** @param {{pid: number, main: string}} jvm  the program to show profiles of, unless the reader asks for all */
  follow(jvm) {
    const isSame = this.jvm && this.jvm.pid === jvm.pid && this.jvm.main === jvm.main;
    this.jvm = jvm;
    if (!isSame) this.show();
  }

  /** Shows or hides profiles of other programs. */
  showOthers(hasOthers) {
    this.hasOthers = hasOthers;
    this.show();
    byId('others').focus();
  }

  /** @param {string} [fresh] id of a profile to mark as new */
  async refresh(fresh) {
    await this.attempt(async () => {
      const {profiles} = await this.api.get('/api/profiles');
      this.fresh = fresh ?? this.fresh;
      const text = JSON.stringify([profiles, this.fresh]);
      // Keep unchanged rows, and with them the focus.
      if (text === this.shown) return;
      this.shown = text;
      this.profiles = profiles;
      this.picked = this.picked.filter((id) => profiles.some((profile) => profile.id === id));
      this.show();
    });
  }

  /** Runs a command of the table and shows its error above the table. @return {Promise<boolean>} success */
  async attempt(work) {
    try {
      await work();
      showProblem('stored-problem', '');
      return true;
    } catch (error) {
      if (!this.onTrouble(error)) showProblem('stored-problem', sentenceOf(error));
      return false;
    }
  }

  showHeads() {
    byId('columns').replaceChildren(
        make('th', {scope: 'col', class: 'pick'}, make('span', {class: 'offscreen'}, 'Compare')),
        ...COLUMNS.map(({id, label}) => {
          const button = make('button', {type: 'button'}, label);
          button.addEventListener('click', () => {
            this.order = orderAfter(this.order, id);
            this.show();
          });
          return make('th', {scope: 'col', class: id, 'data-column': id}, button);
        }),
        make('th', {scope: 'col', class: 'do'}, make('span', {class: 'offscreen'}, 'Actions')));
  }

  show() {
    const own = this.profiles.filter((profile) => !this.jvm || isOwn(profile, this.jvm));
    const others = this.profiles.length - own.length;
    const offered = this.hasOthers ? this.profiles : own;
    const shown = arrange(offered, byId('filter').value, this.order);
    for (const head of byId('columns').querySelectorAll('[data-column]')) {
      const isOrder = head.dataset.column === this.order.column;
      head.setAttribute('aria-sort', isOrder ? (this.order.isUp ? 'ascending' : 'descending') : 'none');
    }
    byId('rows').replaceChildren(...shown.map((profile) => this.rowOf(profile)));
    byId('profiles').hidden = shown.length === 0;
    byId('filter').parentElement.hidden = offered.length === 0;
    byId('stored-count').textContent = offered.length > 0 ? formatCount(offered.length) : '';
    byId('others').hidden = others === 0;
    byId('others').textContent = `Other programs (${formatCount(others)})`;
    byId('others').setAttribute('aria-pressed', this.hasOthers);
    byId('nothing').hidden = shown.length > 0;
    byId('show-others').hidden = offered.length > 0 || others === 0;
    byId('none').textContent = offered.length > 0 ? 'No matching profiles.' : nothingText(this.jvm, others);
    this.showComparison();
  }

  rowOf(profile) {
    const [name, ...cells] = cellsOf(profile);
    const quality = qualityOf(profile);
    const box = make('input', {type: 'checkbox', 'aria-label': `Compare ${name}`});
    box.checked = this.picked.includes(profile.id);
    box.addEventListener('change', () => this.pick(profile.id));
    const title = make('button', {type: 'button', class: 'name', title: `Open ${name}`}, name);
    title.addEventListener('click', () => this.open(pathOf(profile, '.html')));
    return make(
        'tr', {'data-id': profile.id, class: profile.id === this.fresh ? 'fresh' : ''},
        make('td', {class: 'pick'}, box),
        make('th', {scope: 'row', class: 'name'}, title),
        ...cells.map((text, i) => make('td', {class: COLUMNS[i + 1].id, 'data-label': COLUMNS[i + 1].label}, text)),
        make('td', {class: 'quality', 'data-label': 'Quality'}, make('span', {class: quality.isGood ? 'word good' : 'word'}, quality.word),
             make('small', {}, quality.why)),
        make('td', {class: 'do'}, ...this.buttonsOf(profile, name)));
  }

  buttonsOf(profile, name) {
    const button = (label, attributes, action) => {
      const element = make('button', {type: 'button', 'aria-label': `${label} ${name}`, ...attributes}, label);
      element.addEventListener('click', () => action(element));
      return element;
    };
    return [
      button('Open', {class: 'open'}, () => this.open(pathOf(profile, '.html'))),
      button('Download', {class: 'download', 'aria-haspopup': 'menu'}, (element) => this.offerFormats(profile, element)),
      button('Delete', {class: 'delete'}, () => this.ask(profile)),
    ];
  }

  open(path) { return this.attempt(() => openTab(this.api, path)); }

  offerFormats(profile, opener) {
    const {left, bottom} = opener.getBoundingClientRect();
    const entries = FORMATS.map(({ending, label}) => [label, () => this.download(profile, ending)]);
    this.menu.open(entries, {x: left, y: bottom + 4});
  }

  async download(profile, ending) {
    await this.attempt(async () => {
      const address = URL.createObjectURL(await this.api.blob(pathOf(profile, ending)));
      make('a', {href: address, download: fileName(profile, ending)}).click();
      // By then the browser has saved the file.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  }

  ask(profile) {
    this.asked = profile;
    byId('question').textContent = `Delete “${nameOf(profile)}”? This cannot be undone.`;
    byId('ask').showModal();
    byId('keep').focus();
  }

  async removeAsked() {
    const profile = this.asked;
    byId('ask').close();
    const isDone = await this.attempt(() => this.api.remove(pathOf(profile)));
    await this.refresh();
    if (!isDone) return;
    notify(`Deleted: ${nameOf(profile)}`);
    // The pressed button is gone with its row.
    (byId('rows').querySelector('.open') ?? byId('stored')).focus();
  }

  pick(id) {
    this.picked = pick(this.picked, id);
    for (const row of byId('rows').children) {
      row.querySelector('.pick input').checked = this.picked.includes(row.dataset.id);
    }
    this.showComparison();
  }

  /** Shows the comparison: the earlier profile is the one before, unless swapped. */
  showComparison() {
    const picked = this.picked.map((id) => this.profiles.find((profile) => profile.id === id));
    const host = byId('compare');
    host.hidden = picked.length === 0;
    if (picked.length === 0) return host.replaceChildren();
    if (picked.length === 1) return host.replaceChildren(make('p', {}, `“${nameOf(picked[0])}” is selected. Select another profile to compare it with.`));
    const [before, after] = picked.sort((a, b) => a.start_unix_ms - b.start_unix_ms);
    return this.offerComparison(host, before, after);
  }

  offerComparison(host, before, after) {
    const swap = make('button', {type: 'button'}, 'Swap');
    swap.addEventListener('click', () => {
      this.offerComparison(host, after, before);
      host.querySelector('button').focus();
    });
    const compare = make('button', {type: 'button', class: 'primary', id: 'compare-now'}, 'Compare');
    compare.addEventListener('click', () => this.compare(before, after));
    const side = (word, profile) => make('span', {class: 'side'}, make('small', {}, word), nameOf(profile));
    host.replaceChildren(side('before', before), side('after', after), swap, compare);
  }

  async compare(before, after) {
    const path = `/api/diff/${encodeURIComponent(before.id)}/${encodeURIComponent(after.id)}.html`;
    await this.attempt(async () => {
      // Report errors here instead of in a new tab.
      await this.api.blob(path);
      await openTab(this.api, path);
    });
  }
}
