// The console: logs in, polls the status while the page is visible, and offers the commands.

import {App} from '../app.js';
import {NoAddress} from '../view/address.js';
import {byId, make} from '../view/dom.js';
import {notify} from '../view/status.js';

import {Api, onceOf, sentenceOf} from './model/api.js';
import {noProfile} from './model/live_profile.js';
import {STATUS_MILLISECONDS} from './model/pace.js';
import {jvmFacts, runningOf, runningText} from './model/session.js';
import {nameOf} from './model/stored.js';
import {Live} from './view/live.js';
import {showProblem} from './view/problem.js';
import {Repeater} from './view/repeater.js';
import {SessionView} from './view/session_view.js';
import {StartForm} from './view/start_form.js';
import {StoreView} from './view/store_view.js';
import {StoredView} from './view/stored_view.js';

const TOKEN_KEY = 'hearth-token';
const POLLS_PER_LIST = 10;

export class Console {
  constructor() {
    this.api = new Api('');
    this.app = new App(noProfile(), new NoAddress(), () => this.view === 'running' && !byId('ask').open);
    // The session shown, if there are several.
    this.running = null;
    this.live = new Live(this.api, this.app, () => this.running?.session, (error) => this.fail(error));
    this.form = new StartForm((body) => this.begin(body));
    this.session = new SessionView({
      stop: () => this.end('/api/stop', {}),
      dump: () => this.end('/api/dump', {}),
      // With a format the profile is in the reply and is not stored.
      cancel: () => this.end('/api/stop', {format: 'flat'}),
    });
    this.stored = new StoredView(this.api, this.app.menu, (error) => this.fail(error));
    this.store = new StoreView(this.api, (error) => this.fail(error));
    this.poller = new Repeater(() => this.poll(), () => STATUS_MILLISECONDS[this.pace()]);
    this.polls = 0;
  }

  start() {
    this.app.start();
    byId('login-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.tryToken(byId('token').value.trim());
    });
    // A link pasted into an open console changes the fragment only.
    addEventListener('hashchange', () => this.enter());
    this.enter();
  }

  async enter() {
    const once = onceOf(location.hash);
    if (once === null) return this.tryToken(sessionStorage.getItem(TOKEN_KEY) ?? '');
    // Remove the one-time code from the address bar and the history.
    history.replaceState(null, '', location.pathname);
    try {
      return await this.tryToken(await new Api('').login(once));
    } catch (error) {
      return this.askForToken(sentenceOf(error));
    }
  }

  async tryToken(token) {
    if (token === '') return this.askForToken('');
    this.api.token = token;
    try {
      this.form.offer((await this.api.get('/api/options')).options);
    } catch (error) {
      // The server may be back in a moment.
      if (error.status === 401) return this.askForToken(sentenceOf(error));
      this.fail(error);
      clearTimeout(this.retrying);
      this.retrying = setTimeout(() => this.tryToken(token), STATUS_MILLISECONDS.lost);
      return undefined;
    }
    sessionStorage.setItem(TOKEN_KEY, token);
    byId('token').value = '';
    showProblem('login-problem', '');
    this.poller.start();
    return this.stored.refresh();
  }

  askForToken(problem) {
    this.api.token = '';
    sessionStorage.removeItem(TOKEN_KEY);
    this.poller.stop();
    showProblem('trouble', '');
    showProblem('login-problem', problem);
    this.show('login');
    byId('state').textContent = '';
    byId('token').focus();
  }

  pace() { return this.isLost ? 'lost' : this.view === 'running' ? 'running' : 'idle'; }

  async poll() {
    let status;
    try {
      status = await this.api.get('/api/status');
    } catch (error) {
      return this.fail(error);
    }
    // Logged out meanwhile.
    if (this.api.token === '') return undefined;
    const wasLost = this.isLost;
    this.isLost = false;
    showProblem('trouble', '');
    this.showJvm(status.jvm);
    this.store.follow(status.always_on);
    const running = runningOf(status);
    const wasRunning = this.view === 'running';
    const isAnother = wasRunning && running && running.session !== this.running?.session;
    this.running = running;
    if (isAnother) this.live.follow(true);
    this.show(running ? 'running' : 'idle');
    byId('state').textContent = running ? `Profiling ${runningText(status)}` : 'Idle';
    if (running) this.session.show(running);
    // Also show profiles of sessions that ended by themselves or that others stored.
    if (wasLost || (wasRunning && !running) || ++this.polls % POLLS_PER_LIST === 0) await this.stored.refresh();
    return undefined;
  }

  showJvm(jvm) {
    const isNew = !this.jvm || this.jvm.pid !== jvm.pid;
    byId('title').textContent = jvm.main || `JVM ${jvm.pid}`;
    byId('facts').replaceChildren(...jvmFacts(jvm, isNew ? null : this.jvm).map((text) => make('span', {}, text)));
    document.title = `${jvm.main || jvm.pid} · hearth`;
    this.jvm = jvm;
    this.stored.follow(jvm);
  }

  /** @param {'login'|'idle'|'running'} view */
  show(view) {
    if (view === this.view) return;
    const hadFocus = document.activeElement?.closest('#starting, #session');
    this.view = view;
    document.body.dataset.view = view;
    byId('login').hidden = view !== 'login';
    byId('starting').hidden = view !== 'idle';
    byId('session').hidden = view !== 'running';
    byId('stored').hidden = view === 'login';
    if (view === 'login') this.store.follow(null);
    this.session.clear();
    this.live.follow(view === 'running');
    // The focused element is gone: focus the next one.
    if (hadFocus) byId(view === 'running' ? 'stop' : view === 'idle' ? 'begin' : 'token').focus();
  }

  async begin(body) {
    await this.api.post('/api/start', body);
    await this.poller.now();
  }

  async end(path, body) {
    try {
      const {profile} = await this.endSession(path, body);
      await this.stored.refresh(profile?.id);
      notify(profile ? `Stored: ${nameOf(profile)}` : 'Cancelled: nothing was stored');
    } catch (error) {
      if (!this.fail(error)) showProblem('session-problem', sentenceOf(error));
    }
    await this.poller.now();
  }

  async endSession(path, options) {
    const body = this.running ? {...options, session: this.running.session} : options;
    if (!body.format) return this.api.post(path, body);
    await this.api.ask('POST', path, body);
    return {};
  }

  /** Reports errors that concern the whole page. @return {boolean} false for an error of one request, which the caller reports */
  fail(error) {
    if (error.status === 401) {
      this.askForToken('The token is no longer valid: the server was restarted. Open a new link.');
      return true;
    }
    if (error.status !== 0) return false;
    this.isLost = true;
    byId('state').textContent = 'Not connected';
    showProblem('trouble', sentenceOf(error));
    return true;
  }
}
