import './inflate_for_old_node.mjs';

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {Api, onceOf, Refused, sentenceOf} from '../../html/console/model/api.js';
import {bodyOf, fieldOfMessage, fieldsOf, firstValues, GROUPS, withoutOption} from '../../html/console/model/form.js';
import {dataOf, noProfile, profileOf} from '../../html/console/model/live_profile.js';
import {pauseAfter} from '../../html/console/model/pace.js';
import {figuresOf, jvmFacts, runningOf} from '../../html/console/model/session.js';
import {arrange, cellsOf, fileName, isOwn, nameOf, orderAfter, pick, programOf, qualityOf} from '../../html/console/model/stored.js';
import {Repeater} from '../../html/console/view/repeater.js';
import {followNames, pathTo} from '../../html/model/trees/call_tree.js';
import {decodePayload} from '../../html/model/data/decode.js';

import {treeOf} from './derive.mjs';
import {columnsOf, encodePayload, KIND, packPayload} from './make_page.mjs';

const plain = (text) => text.replaceAll('\u00a0', ' ');

// Made up, one of every kind: integration/check/http/console holds the form against the agent's own list.
const OPTIONS = [
  {name: 'event', group: 'events', default: 'cpu', example: '', about: 'An option', takes: 'value', accepts: 'cpu, cpu-clock, ctimer, itimer, wall, alloc, lock; several with commas, as cpu,alloc,lock', output: false},
  {name: 'interval', group: 'events', default: '', example: '1ms', about: 'An option', takes: 'value', accepts: 'a whole number', output: false},
  {name: 'wall', group: 'events', default: '50ms', example: '', about: 'An option', takes: 'optional', accepts: 'a whole number', output: false},
  {name: 'alloc', group: 'events', default: '512k', example: '', about: 'An option', takes: 'optional', accepts: '0 to 1g bytes', output: false},
  {name: 'lock', group: 'events', default: '10us', example: '', about: 'An option', takes: 'optional', accepts: 'a whole number', output: false},
  {name: 'live', group: 'events', default: '', example: '', about: 'An option', takes: 'nothing', accepts: '', output: false},
  {name: 'cstack', group: 'stacks', default: 'vm', example: '', about: 'An option', takes: 'value', accepts: 'vm, vmx, agct, dwarf, fp, no', output: false},
  {name: 'features', group: 'stacks', default: '', example: '', about: 'An option', takes: 'value', accepts: 'pcaddr, vtable, comptask; + between several', output: false},
  {name: 'clojure', group: 'output', default: '', example: '', about: 'An option', takes: 'optional', accepts: 'on, off', output: true},
  {name: 'include', group: 'output', default: '', example: 'java/*', about: 'An option', takes: 'values', accepts: 'a frame name, * at its start or end', output: true},
  {name: 'newest', group: 'output', default: '', example: '', about: 'An option', takes: 'optional', accepts: 'a number', output: true},
];
const FIELDS = fieldsOf(OPTIONS);

test('events without an option have boxes of their own', () => {
  const accepts = OPTIONS[0].accepts.replace('wall,', 'wall, page-faults,');
  const fields = fieldsOf([{...OPTIONS[0], accepts}, ...OPTIONS.slice(1)]);
  const {kind, label, group} = fields.find(({name}) => name === 'page-faults');
  assert.deepEqual({kind, label, group}, {kind: 'flag', label: 'Page faults', group: 'events'});
  assert.deepEqual(fields[0].choices, ['cpu', 'cpu-clock', 'ctimer', 'itimer']);
  const values = {...firstValues(fields), 'page-faults': true};
  assert.deepEqual(bodyOf(fields, values).body, {event: 'cpu,page-faults'});
  values.event = {isOn: false, value: ''};
  values.interval = '1ms';
  assert.deepEqual(bodyOf(fields, values), {body: {event: 'page-faults'}, problem: null});
});

test('an event whose options the form knows comes before them', () => {
  const accepts = OPTIONS[0].accepts.replace('lock;', 'lock, exception;');
  const fields = fieldsOf([{...OPTIONS[0], accepts}, ...OPTIONS.slice(1), {...OPTIONS[5], name: 'messages'}]);
  const group = fields.filter((field) => field.group === 'exception');
  assert.deepEqual(group.map(({name, kind, label}) => [name, kind, label]), [['exception', 'flag', 'Exceptions'], ['messages', 'flag', 'By message']]);
  assert.deepEqual(bodyOf(fields, {...firstValues(fields), exception: true, messages: true}).body, {event: 'cpu,exception', messages: true});
});

test('every option that the agent names has a field, known or not', () => {
  assert.deepEqual(FIELDS.map(({name}) => name).sort(), OPTIONS.map(({name}) => name).sort());
  const kinds = Object.fromEntries(FIELDS.map(({name, kind}) => [name, kind]));
  assert.deepEqual(kinds, {
    event: 'optional',
    interval: 'text',
    wall: 'optional',
    alloc: 'optional',
    lock: 'optional',
    live: 'flag',
    cstack: 'choice',
    features: 'text',
    clojure: 'choice',
    include: 'lines',
    newest: 'optional'
  });
  assert.ok(FIELDS.every(({group}) => GROUPS.some(({id}) => id === group)));
  assert.equal(FIELDS.at(-1).name, 'newest');
  assert.deepEqual(FIELDS[0].choices, ['cpu', 'cpu-clock', 'ctimer', 'itimer']);
  const shown = Object.fromEntries(FIELDS.map(({name, example, group}) => [name, [example, group]]));
  assert.deepEqual([shown.wall, shown.interval, shown.include, shown.cstack, shown.newest],
                   [['50ms', 'wall'], ['1ms', 'cpu'], ['java/*', 'samples'], ['vm', 'stacks'], ['', 'output']]);
});

test('the form begins with CPU time, and sends only the fields that were changed', () => {
  const values = firstValues(FIELDS);
  assert.deepEqual(bodyOf(FIELDS, values), {body: {event: 'cpu'}, problem: null});
  Object.assign(values, {
    interval: ' 1ms ',
    wall: {isOn: true, value: ''},
    alloc: {isOn: true, value: '64k'},
    live: true,
    include: ' a*\n\n*b \n',
    cstack: 'fp'
  });
  assert.deepEqual(bodyOf(FIELDS, values).body, {
    event: 'cpu',
    interval: '1ms',
    wall: true,
    alloc: '64k',
    live: true,
    include: ['a*', '*b'],
    cstack: 'fp'
  });
  values.event = {isOn: false, value: ''};
  assert.equal('interval' in bodyOf(FIELDS, values).body, false);
});

test('a session measures something', () => {
  const values = {...firstValues(FIELDS), event: {isOn: false, value: ''}};
  assert.deepEqual(bodyOf(FIELDS, values).problem, {field: 'event', message: 'Choose what to measure.'});
});

test('a refusal finds its field', () => {
  assert.equal(fieldOfMessage('option interval: cannot use "x"; accepted: …', FIELDS), 'interval');
  assert.equal(fieldOfMessage('option interval: it may be that of wall or of alloc', FIELDS), 'interval');
  assert.equal(fieldOfMessage('two output formats were given', FIELDS), '');
  assert.equal(fieldOfMessage('option nothing: is none', FIELDS), '');
  assert.equal(withoutOption('Option interval: cannot use "x".'), 'cannot use "x".');
});

test('an error is one sentence', () => {
  assert.match(sentenceOf(new Refused(0)), /^No answer: the JVM has ended/);
  assert.equal(
      sentenceOf(new Refused(409, {message: 'x', running: 'cpu, since 1.0 s'})),
      'A session is already running (cpu, since 1.0 s). Stop it first.');
  assert.equal(sentenceOf(new Refused(404, {message: 'it is gone', hint: 'look elsewhere'})), 'It is gone: look elsewhere.');
  assert.equal(sentenceOf(new TypeError('oh')), 'This page failed: oh.');
});

test("a request carries the token, and a refusal the server's message", async () => {
  const asked = [];
  const answers = [
    Response.json({ok: 1}), Response.json({error: {code: 'session_running', message: 'no', running: 'cpu'}}, {status: 409}),
    new Response('<html>', {status: 500})
  ];
  const api = new Api('secret', async (path, request) => {
    asked.push([path, request.method, request.headers.Authorization, request.body]);
    return answers.shift() ?? Promise.reject(new TypeError('Failed to fetch'));
  });
  assert.deepEqual(await api.get('/api/status'), {ok: 1});
  await assert.rejects(api.post('/api/start', {event: 'cpu'}), {status: 409, code: 'session_running', running: 'cpu'});
  await assert.rejects(api.text('/api/live'), {status: 500, message: 'the server answered 500'});
  await assert.rejects(api.remove('/api/profiles/x'), {status: 0});
  assert.deepEqual(asked.slice(0, 2), [
    ['/api/status', 'GET', 'Bearer secret', undefined], ['/api/start', 'POST', 'Bearer secret', '{"event":"cpu"}']
  ]);
  assert.equal(onceOf('#once=ab12'), 'ab12');
  assert.equal(onceOf(''), null);
});

test('the costlier a look, the rarer', () => {
  assert.deepEqual([0, 50, 200, 1000, 1e6].map(pauseAfter), [3000, 3000, 5000, 25_000, 60_000]);
});

const frame = (name) => [name, KIND.jit];

test('the live profile is the data of a page', async () => {
  const columns = columnsOf([{frames: [frame('a')], values: [1, 2]}]);
  const page = `<title></title><script id="hearth-data" type="application/octet-stream">${
      packPayload(encodePayload(columns))}</script><script>x</script>`;
  const profile = await profileOf(page);
  assert.deepEqual(profile.names, ['a']);
  assert.equal(dataOf('<html>'), '');
  await assert.rejects(profileOf('<html>'), {name: 'Error'});
  assert.equal(treeOf(noProfile()).totals[0], 0);
});

test('a zoom is found again by the names of its frames', () => {
  // Another kind, and a sibling of the same name with less.
  const after = decodePayload(encodePayload(columnsOf([
    {frames: [frame('a'), frame('b')], values: [1, 1]},
    {frames: [frame('main'), ['b', KIND.interpreted], frame('c')], values: [2, 2]},
    {frames: [frame('main'), frame('b'), frame('d')], values: [9, 9]},
  ])));
  const tree = treeOf(after, 1);
  const found = (names) => pathTo(tree, followNames(tree, names)).map((node) => tree.nameOf(node));
  assert.deepEqual(found(['main', 'b', 'd']), ['main', 'b', 'd']);
  assert.deepEqual(found(['main', 'b', 'gone']), ['main', 'b']);
  assert.deepEqual(found(['gone']), []);
});

test('the JVM and its session in figures', () => {
  const jvm = {pid: 7, runtime: 'A VM', uptime_ns: 61e9, cpu_ns: 4e9};
  assert.deepEqual(jvmFacts(jvm, null).map(plain), ['pid 7', 'A VM', 'up 61.0 s']);
  assert.equal(plain(jvmFacts(jvm, {uptime_ns: 60e9, cpu_ns: 35e8}).at(-1)), '50.0 % of a CPU');
  const session = {
    state: 'running',
    duration_ns: 2e9,
    samples: 900,
    lost: 100,
    overhead: 0.01,
    engine: 'perf_events',
    quality: {whole_share: 0.5}
  };
  assert.equal(runningOf({sessions: [{state: 'stopped'}]}), null);
  assert.equal(runningOf({sessions: [session]}), session);
  assert.deepEqual(figuresOf(session).map(({value, isWarning}) => [plain(value), isWarning]), [
    ['2.00 s', false], ['900', false], ['100 · 10.0 %', true], ['50.0 %', true], ['1.00 % of a CPU', false],
    ['perf_events', false]
  ]);
  assert.deepEqual(
      figuresOf({...session, lost: 0, quality: {whole_share: null}}).slice(2, 4).map(({value, isWarning}) => [value, isWarning]),
      [['0', false], ['–', false]]);
});

const profileNamed = (id, title, more) => ({
  id,
  title,
  event: 'cpu',
  start_unix_ms: 1000,
  duration_ns: 1e9,
  samples: 500,
  bytes: 2000,
  quality: {engine: 'perf_events', lost: 0, whole_share: 1},
  ...more
});

test('profiles are filtered, sorted, and picked two at a time', () => {
  const all = [
    profileNamed('1', 'Before', {samples: 5}), profileNamed('2', 'after', {event: 'alloc', samples: 9}), profileNamed('3', '', {samples: 5})
  ];
  const ids = (filter, column, isUp) => arrange(all, filter, {column, isUp}).map(({id}) => id).join('');
  assert.equal(ids('', 'name', true), '213');
  assert.equal(ids('', 'samples', false), '231');
  assert.equal(ids('ALLOC', 'name', true), '2');
  assert.equal(ids('none', 'name', true), '');
  assert.deepEqual(orderAfter({column: 'name', isUp: true}, 'name'), {column: 'name', isUp: false});
  assert.deepEqual(orderAfter({column: 'name', isUp: true}, 'bytes'), {column: 'bytes', isUp: false});
  assert.deepEqual(pick(pick(pick([], '1'), '2'), '3'), ['2', '3']);
  assert.deepEqual(pick(['2', '3'], '2'), ['3']);
  assert.equal(cellsOf(all[2])[0], 'cpu profile');
  assert.equal(nameOf({title: '</script>', event: 'cpu'}), '</script>');
});

test("a profile names its program, and a REPL's run its number", () => {
  const shop = {program: '/srv/shop.jar', pid: '4711', id: '20260314-150926-4711-1-0123abcd', title: '', event: 'cpu'};
  assert.equal(programOf(shop), 'shop.jar · 4711');
  assert.equal(programOf({id: '20260314-150926-99-1-0123abcd'}), 'pid 99');
  assert.equal(programOf({program: 'Shop', id: 'x'}), 'Shop');
  assert.equal(programOf({id: 'copied-from-elsewhere'}), 'unknown');
  assert.deepEqual([shop, {...shop, id: '20260314_150926-07-wall-profile'}, {...shop, id: '20260314_150926-07-wall-profile', title: 'mine'}].map(nameOf), [
    'cpu profile', 'Run 7: wall', 'mine'
  ]);
  assert.equal(cellsOf({...profileNamed('1', 'x'), ...shop})[1], 'shop.jar · 4711');
  assert.deepEqual(arrange([profileNamed('1', 'a'), {...profileNamed('2', 'b'), program: 'Shop'}], 'shop', {column: 'program', isUp: true}).map(({id}) => id), ['2']);
});

test('own are the profiles of the program that runs, also those of its processes before', () => {
  const jvm = {pid: 4711, main: 'Shop'};
  const made = '20260314-150926-4711-1-0123abcd';
  assert.deepEqual(
      [{program: 'Shop', pid: '1'}, {program: 'Cart', pid: '4711'}, {id: made}, {id: made.replace('4711', '47')}, {id: 'x'}].map((one) => isOwn(one, jvm)),
      [true, false, true, false, false]);
});

test('a file name has no sign that means something to a system', () => {
  assert.equal(fileName(profileNamed('4-1', '../a "b"<c>'), '.pb.gz'), 'a-b-c-4-1.pb.gz');
  assert.equal(fileName(profileNamed('4-1', '///'), '.html'), 'profile-4-1.html');
});

test('the quality of a profile in words', () => {
  const word = (more) => qualityOf(profileNamed('1', '', more)).word;
  const quality = {engine: 'perf_events', lost: 0, whole_share: 1};
  assert.equal(word({}), 'good');
  assert.equal(word({samples: 20}), 'few samples');
  assert.equal(word({samples: 0}), 'empty');
  assert.equal(word({quality: {...quality, lost: 50}}), 'lossy');
  assert.equal(word({quality: {...quality, whole_share: 0.6}}), 'incomplete stacks');
  assert.equal(word({quality: {...quality, whole_share: null}}), 'good');
  assert.equal(word({quality: {engine: ''}}), 'unknown');
});

test('nothing is asked in a hidden tab, at once when it is seen again, and never twice at one time', async () => {
  let seen;
  globalThis.document = {hidden: true, addEventListener: (_, listener) => { seen = listener; }};
  let begun = 0;
  let finish;
  const repeater = new Repeater(() => {
    begun++;
    return new Promise((resolve) => { finish = resolve; });
  }, () => 3_600_000);
  repeater.start();
  assert.equal(begun, 0);
  document.hidden = false;
  seen();
  assert.equal(begun, 1);
  const again = repeater.now();
  assert.equal(begun, 1);
  finish();
  while (begun < 2) await new Promise(setImmediate);
  finish();
  await again;
  repeater.stop();
  seen();
  assert.equal(begun, 2);
});
