// Writes a profile in pprof's format, not yet compressed: all values of the rows that filters keep, as transforms left their stacks. Data
// without a field in pprof is stored as agent/profile/formats/pprof_extensions.h describes.

import {inSlices} from '../slices.js';
import {NOWHERE} from '../trees/shape.js';
import {ProtoWriter} from './proto.js';

// Numbers of the fields of profile.proto's messages.
const PROFILE = {sampleType: 1, sample: 2, mapping: 3, location: 4, function: 5, strings: 6, timeNanos: 9, durationNanos: 10, periodType: 11, period: 12, comment: 13, defaultType: 14};
const VALUE_TYPE = {type: 1, unit: 2};
const SAMPLE = {location: 1, value: 2, label: 3};
const LABEL = {key: 1, text: 2, number: 3, unit: 4};
const MAPPING = {id: 1, fileName: 5, hasFunctions: 7, hasLineNumbers: 9, hasInlineFrames: 10};
const LOCATION = {id: 1, mapping: 2, line: 4};
const LINE = {function: 1, line: 2};
const FUNCTION = {id: 1, name: 2, systemName: 3};

// By kind, see kinds.js.
const KIND_WORDS = ['java_interpreted', 'java_c1', 'java_jit', 'java_inlined', 'native', 'cpp', 'kernel', 'stub', 'thread', 'marker', 'class'];
const BREAKDOWNS = {failures: 'failure.', without_symbols: 'without_symbols.', allocated_by_thread: 'allocated_by_thread.'};

/**
 * @param {import('../data/decode.js').Profile} profile
 * @param {{shape: import('../trees/shape.js').Shape, table: import('../data/frame_table.js').FrameTable, kept: ?Uint8Array}} stacks
 *     with frames split by kind and line
 * @param {{lens: number, note: string}} options  value shown first, and a note on missing data, or ''
 * @return {Generator} of a Uint8Array
 */
export function* pprofBytes(profile, stacks, options) { return yield* new PprofWriter(profile, stacks).write(options); }

class PprofWriter {
  constructor(profile, {shape, table, kept}) {
    Object.assign(this, {profile, shape, table, kept});
    this.out = new ProtoWriter();
    this.strings = new Map([['', 0]]);
    // Frame -> 1 if a stack has it.
    this.used = new Uint8Array(table.count);
    this.labelBytes = new Map();
  }

  * write({lens, note}) {
    const {header: {values}} = this.profile;
    for (const type of values) this.out.message(PROFILE.sampleType, this.valueType(type));
    yield* this.writeSamples();
    this.writeFrames();
    yield;
    this.writeMetadata(lens, note);
    const encoder = new TextEncoder();
    for (const text of this.strings.keys()) this.out.message(PROFILE.strings, encoder.encode(text));
    return this.out.bytes();
  }

  string(text) {
    if (!this.strings.has(text)) this.strings.set(text, this.strings.size);
    return this.strings.get(text);
  }

  valueType({type, unit}) {
    return messageOf((message) => {
      message.number(VALUE_TYPE.type, this.string(type));
      message.number(VALUE_TYPE.unit, this.string(unit));
    });
  }

  * writeSamples() {
    const {profile, shape: {rowNodes}, kept} = this;
    const columns = [];
    for (let value = 0; value < profile.header.values.length; value++) {
      columns.push(profile.valuesOf(value));
      yield;
    }
    const sample = new ProtoWriter();
    const packed = new ProtoWriter();
    yield* inSlices(rowNodes.length, (from, to) => {
      for (let row = from; row < to; row++) {
        const node = rowNodes[row];
        if (node === NOWHERE || node === 0 || (kept !== null && kept[row] === 0)) continue;
        sample.clear();
        packed.clear();
        this.packStack(node, packed);
        sample.message(SAMPLE.location, packed.bytes());
        packed.clear();
        for (const column of columns) packed.varint(column[row]);
        sample.message(SAMPLE.value, packed.bytes());
        for (const label of this.labelsOf(row)) sample.message(SAMPLE.label, label);
        this.out.message(PROFILE.sample, sample.bytes());
      }
    }, 1 << 12);
  }

  /** Writes the locations of a stack, innermost first. Ids are frames plus one: 0 means none. */
  packStack(node, packed) {
    const {shape: {parents, frames}, used} = this;
    for (; node !== 0; node = parents[node]) {
      used[frames[node]] = 1;
      packed.varint(frames[node] + 1);
    }
  }

  /** @return {Uint8Array[]} */
  labelsOf(row) {
    const {rowSets, rowTimes, header} = this.profile;
    const labels = rowSets ? this.labelsOfSet(rowSets[row]) : [];
    if (!header.time || !rowTimes || rowTimes[row] === 0) return labels;
    const time = {key: 'time', number: (rowTimes[row] - 1) * header.time.step_ns, unit: 'nanoseconds'};
    return [...labels, this.known(`time ${rowTimes[row]}`, () => this.label(time))];
  }

  labelsOfSet(set) {
    return this.known(set, () => this.profile.labelSets[set].map(({label, value}) => {
      const {key, unit, isText} = this.profile.labels[label];
      return this.label(isText ? {key, text: value} : {key, number: value, unit});
    }));
  }

  known(key, make) {
    if (!this.labelBytes.has(key)) this.labelBytes.set(key, make());
    return this.labelBytes.get(key);
  }

  label({key, text = '', number = 0, unit = ''}) {
    return messageOf((message) => {
      message.number(LABEL.key, this.string(key));
      message.number(LABEL.text, this.string(text));
      message.number(LABEL.number, number);
      message.number(LABEL.unit, this.string(unit));
    });
  }

  writeFrames() {
    const {table, out, used} = this;
    const kinds = new Set();
    const names = new Set();
    used.forEach((isUsed, frame) => {
      if (!isUsed) return;
      const kind = table.kindOf(frame);
      const name = table.frameNames.values[frame];
      kinds.add(kind);
      names.add(name);
      const line = messageOf((message) => {
        message.number(LINE.function, name + 1);
        message.number(LINE.line, table.frameLines.values[frame]);
      });
      out.message(PROFILE.location, messageOf((message) => {
        message.number(LOCATION.id, frame + 1);
        message.number(LOCATION.mapping, kind + 1);
        message.message(LOCATION.line, line);
      }));
    });
    for (const name of names) {
      const text = this.string(table.names[name]);
      out.message(PROFILE.function, messageOf((message) => {
        for (const [field, value] of [[FUNCTION.id, name + 1], [FUNCTION.name, text], [FUNCTION.systemName, text]]) message.number(field, value);
      }));
    }
    // pprof takes the first mapping for the program and prints it above its tables.
    const {runtime} = this.profile.header;
    if (runtime) this.writeMapping(KIND_WORDS.length, runtime);
    for (const kind of kinds) this.writeMapping(kind, KIND_WORDS[kind] ?? '');
  }

  writeMapping(kind, file) {
    this.out.message(PROFILE.mapping, messageOf((message) => {
      message.number(MAPPING.id, kind + 1);
      message.number(MAPPING.fileName, this.string(file));
      for (let field = MAPPING.hasFunctions; field <= MAPPING.hasInlineFrames; field++) message.number(field, 1);
    }));
  }

  writeMetadata(lens, note) {
    const {header} = this.profile;
    const {start_unix_ms: start = 0, duration_ns: duration = 0, interval = 0, values} = header;
    this.out.number(PROFILE.timeNanos, start * 1e6);
    this.out.number(PROFILE.durationNanos, duration);
    this.out.number(PROFILE.period, interval);
    const comments = [...commentsOf(header), ...(note ? [`hearth.note=${note}`] : [])];
    this.out.message(PROFILE.comment, messageOf((packed) => comments.forEach((comment) => packed.varint(this.string(comment)))));
    this.out.message(PROFILE.periodType, this.valueType(values.at(-1)));
    this.out.number(PROFILE.defaultType, this.string(values[lens].type));
  }
}

function messageOf(fill) {
  const message = new ProtoWriter();
  fill(message);
  return message.bytes().slice();
}

/** @return {string[]} the header as comments; pprof hides those that begin with # */
function commentsOf(header) {
  const about = ['event', 'title', 'producer', 'runtime', 'program', 'pid', 'host'];
  const known = about.filter((key) => header[key]).map((key) => `${key}=${header[key]}`);
  const intervals = header.values.filter(({interval}) => interval > 0).map(({type, interval}) => `interval.${type}=${interval}`);
  const step = header.time ? [`time_step_ns=${header.time.step_ns}`] : [];
  return [...[...qualityOf(header.quality ?? {}), ...known, ...intervals, ...step].map((text) => `#hearth.${text}`),
          ...(header.quality?.notes ?? []).map((text) => `hearth.note=${text}`)];
}

function qualityOf(quality) {
  const lines = [];
  for (const [key, value] of Object.entries(quality)) {
    // Shares follow from counts.
    const isCount = typeof value === 'number' && !key.endsWith('_share');
    if (isCount && (value !== 0 || (key === 'lost' && quality.engine))) lines.push(`${key}=${value}`);
    if (key in BREAKDOWNS) lines.push(...Object.entries(value).map(([word, count]) => `${BREAKDOWNS[key]}${word}=${count}`));
  }
  return quality.engine ? [...lines, `engine=${quality.engine}`] : lines;
}
