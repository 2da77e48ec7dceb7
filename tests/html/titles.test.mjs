import assert from 'node:assert/strict';
import {test} from 'node:test';

import {documentTitleOf, processOf, titleOf} from '../../html/model/text/titles.js';

const SHOP = {title: 'cpu flame graph', event: 'cpu', program: 'com.acme.Shop', pid: '4711', host: 'web-3'};

test('without a title of its own a page is named after its program, process and host', () => {
  assert.equal(titleOf(SHOP), 'com.acme.Shop');
  assert.deepEqual(processOf(SHOP), ['pid 4711 on web-3']);
  assert.equal(documentTitleOf(SHOP), 'com.acme.Shop · pid 4711 on web-3 · cpu');
});

test('a title that was given stays, and the program is a fact', () => {
  const given = {...SHOP, title: 'Before the change'};
  assert.equal(titleOf(given), 'Before the change');
  assert.equal(documentTitleOf(given), 'Before the change');
  assert.deepEqual(processOf(given), ['com.acme.Shop (pid 4711 on web-3)']);
});

test('what is not known is left out', () => {
  assert.equal(titleOf({}), 'Flame graph');
  assert.equal(documentTitleOf({title: 'cpu flame graph', event: 'cpu'}), 'cpu flame graph');
  assert.deepEqual(processOf({}), []);
  assert.deepEqual(processOf({...SHOP, host: '', title: 'mine'}), ['com.acme.Shop (pid 4711)']);
  assert.deepEqual(processOf({...SHOP, pid: '', host: ''}), []);
  assert.equal(documentTitleOf({program: 'Shop', host: 'web-3'}), 'Shop · on web-3');
});
