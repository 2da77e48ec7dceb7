// Reads the page's data and puts the flame graph to work.

import {App} from './app.js';
import {DataError, decodePage} from './model/decode.js';
import {allowTrials} from './model/trial.js';
import {PageAddress} from './view/address.js';
import {byId} from './view/dom.js';

const TOO_OLD =
    'This browser is too old to show this flame graph: take Chrome 103, Firefox 113, Safari 16.4 or a newer one.';

async function start() {
  if (typeof DecompressionStream === 'undefined') return fail(TOO_OLD);
  const data = byId('hearth-data');
  const profile = await decodePage(data.textContent);
  // The text is the size of the file; once decoded nobody needs it.
  data.remove();
  allowTrials();
  const app = new App(profile, new PageAddress());
  app.showHeader();
  app.start();
}

function fail(message) {
  byId('message').textContent = message;
  document.body.dataset.state = 'failed';
}

start().catch((error) => {
  fail(`This flame graph cannot be shown: ${error.message}. Make the page again from the profile.`);
  // Damage has been told; anything else is a fault of the page, to be found on the console.
  if (!(error instanceof DataError)) throw error;
});
