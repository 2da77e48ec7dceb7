// Reads the page's data and puts the flame graph to work.

import {App} from './app.js';
import {DataError, decodePage} from './model/decode.js';
import {byId} from './view/dom.js';

async function start() {
  if (typeof DecompressionStream === 'undefined') {
    throw new DataError('this browser is too old: Chrome 103, Firefox 113 or Safari 16.4 is the least');
  }
  const data = byId('hearth-data');
  const profile = await decodePage(data.textContent);
  // The text is the size of the file; once decoded nobody needs it.
  data.remove();
  new App(profile).start();
}

start().catch((error) => {
  const reason = error instanceof DataError ? error.message : `unexpected: ${error.message}`;
  byId('message').textContent = `This flame graph cannot be shown: ${reason}. Make the page again from the profile.`;
  document.body.dataset.state = 'failed';
  if (!(error instanceof DataError)) throw error;
});
