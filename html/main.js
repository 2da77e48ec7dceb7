// Decodes the page's data and starts the application.

import {App} from './app.js';
import {DataError, decodePage} from './model/data/decode.js';
import {enableRegexGuard} from './model/transforms/regex_guard.js';
import {PageAddress} from './view/address.js';
import {byId} from './view/dom.js';
import {bindPopovers} from './view/popovers.js';

const TOO_OLD =
    'This browser is too old for this page. It needs Chrome 103, Firefox 113, Safari 16.4 or later.';

async function start() {
  if (typeof DecompressionStream === 'undefined') return fail(TOO_OLD);
  const data = byId('hearth-data');
  const profile = await decodePage(data.textContent);
  // Frees the text, which is as large as the file.
  data.remove();
  enableRegexGuard();
  const app = new App(profile, new PageAddress());
  app.showHeader();
  bindPopovers();
  app.start();
}

function fail(message) {
  byId('message').textContent = message;
  document.body.dataset.state = 'failed';
}

start().catch((error) => {
  fail(`Cannot show this flame graph: ${error.message}. Create the page again from the profile.`);
  // Damaged data has been reported. Anything else is a bug of the page: rethrow it to the browser's console.
  if (!(error instanceof DataError)) throw error;
});
