// Requests to the control server, and their errors.

/** A request that failed; `status` is 0 if there was no answer. */
export class Refused extends Error {
  constructor(status, {code = '', message = '', hint = '', running = ''} = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.running = running;
  }
}

const LOST = 0;

/** @return {string} one sentence for the reader */
export function sentenceOf(error) {
  if (!(error instanceof Refused)) return `This page failed: ${error.message}.`;
  if (error.status === LOST) return 'No answer: the JVM has ended, or its control server was stopped. Trying again…';
  if (error.running) return `A session is already running (${error.running}). Stop it first.`;
  const said = error.hint ? `${error.message}: ${error.hint}` : error.message;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

export class Api {
  /** @param {string} token @param {typeof fetch} send */
  constructor(token, send = (...request) => fetch(...request)) {
    this.token = token;
    this.send = send;
  }

  /** Exchanges the one-time code of a link for the token. */
  async login(once) { return (await this.json('POST', '/api/login', {once})).token; }

  get(path) { return this.json('GET', path); }

  post(path, body = {}) { return this.json('POST', path, body); }

  remove(path) { return this.json('DELETE', path); }

  async text(path) { return (await this.ask('GET', path)).text(); }

  async blob(path) { return (await this.ask('GET', path)).blob(); }

  async json(method, path, body) { return (await this.ask(method, path, body)).json(); }

  /** @return {Promise<Response>} rejects with Refused */
  async ask(method, path, body) {
    const headers = this.token ? {Authorization: `Bearer ${this.token}`} : {};
    const text = body && JSON.stringify(body);
    let response;
    try {
      response = await this.send(path, {method, headers, body: text, credentials: 'omit', redirect: 'error'});
    } catch (error) {
      throw new Refused(LOST);
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

async function refusalOf(response) {
  const body = await response.json().catch(() => null);
  return new Refused(response.status, body?.error ?? {message: `the server answered ${response.status}`});
}

/** @return {?string} the one-time code in a link's fragment */
export function onceOf(fragment) { return new URLSearchParams(fragment.replace(/^#/, '')).get('once'); }
