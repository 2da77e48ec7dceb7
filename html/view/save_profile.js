// Saves the profile of the page for other tools.

import {collapsedText} from '../model/formats/collapsed.js';
import {pprofBytes} from '../model/formats/pprof.js';
import {isNarrowed, requestOf} from '../model/view_state.js';
import {Work} from '../model/work.js';

import {saveFile} from './save_file.js';
import {notify} from './status.js';

const NARROWED = 'saved from a page with filters or transforms: the counts of samples are those of the whole profile';

/**
 * @param {Object} app profile, queries, viewState @param {string} title  name of the files
 * @param {function(string, string)} copy  copies a text, and names it in a message
 * @return {[string, Function][]} entries of a menu; none for a difference, which is no profile
 */
export function profileSavingsOf({profile, queries: {engine}, viewState}, title, copy) {
  if (profile.header.difference) return [];
  const request = requestOf(viewState);
  const work = new Work();
  const run = (steps, done) => work.start(steps, done, (error) => notify(`Cannot save the profile: ${error.message}`));
  const savePprof = () => run(pprofOf(engine, profile, request, isNarrowed(viewState)), async (bytes) => saveFile(await gzip(bytes), `${title}.pb.gz`));
  const saveText = () => run(textOf(engine, request), (text) => saveFile(new Blob([text], {type: 'text/plain'}), `${title}.collapsed`));
  return [
    ['pprof (.pb.gz): all values', savePprof],
    ['Collapsed stacks (.collapsed): this value', saveText],
    ['JFR recording (.jfr): copy the command', () => copy(jfrCommand(location), 'Command')],
  ];
}

function* pprofOf(engine, profile, request, isNarrow) {
  // With their kinds and lines.
  const whole = {...request, parted: {lines: true, kinds: true}};
  const {table, shape} = yield* engine.shapeOf(whole, false);
  const kept = yield* engine.keptRows(whole, shape, table);
  return yield* pprofBytes(profile, {shape, table, kept}, {lens: request.lens, note: isNarrow ? NARROWED : ''});
}

function* textOf(engine, request) { return yield* collapsedText(yield* engine.derive({...request, parted: {}})); }

function gzip(bytes) { return new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).blob(); }

/** @return {string} the command that makes a recording of this page, which a page cannot write itself */
export function jfrCommand({protocol, pathname}) {
  const file = protocol === 'file:' ? decodeURIComponent(pathname.split('/').at(-1)) : 'PAGE.html';
  const recording = file.replace(/(\.html?)?$/, '.jfr');
  return `hearth convert ${quoted(file)} ${quoted(recording)}`;
}

/** Quotes a file name for a shell, if that needs it. */
function quoted(name) { return /^[\w.@%+:,-]+$/.test(name) && !name.startsWith('-') ? name : `'./${name.replaceAll("'", "'\\''")}'`; }
