// The side panel: what is looked at, what is done to stacks, what is coloured, where sources are.

import {PRESETS} from '../model/presets.js';
import {isTransform} from '../model/place.js';
import {problemOf} from '../model/transforms.js';

import {byId, make} from './dom.js';
import {Filters} from './filters.js';
import {Highlights} from './highlights.js';
import {section} from './section.js';
import {SourceLinks} from './source_links.js';
import {Transforms} from './transforms.js';

const FRAME = 'Frame, text or /regex/';
const STACK = 'Text or /regex/, frames with ; between';
const TYPES = [
  {type: 'filter', label: 'Keep stacks with', what: STACK},
  {type: 'remove', label: 'Remove stacks with', what: STACK},
  {type: 'replace', label: 'Replace', what: STACK, replacement: 'By, $1 is the first group'},
  {type: 'hide', label: 'Hide frames', what: FRAME},
  {type: 'fold', label: 'Fold what is below', what: FRAME},
  {type: 'keep-below', label: 'Only what is below', what: FRAME},
  {type: 'keep-above', label: 'Only what is above', what: FRAME},
  {type: 'collapse-recursion', label: 'Collapse recursion', what: 'Of frames; empty: of all', gaps: 'with others between'},
  {type: 'merge-similar', label: 'Merge similar (numbers of fn and lambda)'},
  {type: 'group', label: 'Group by label', what: 'Label'},
];

const PARTINGS = [
  {flag: 'lines', label: 'Apart by line'},
  {flag: 'kinds', label: 'Apart by how they ran: compiled, inlined, interpreted'},
];

export class Panel {
  /** @param {import('./commands.js').Commands} commands */
  constructor(commands) {
    this.element = byId('panel');
    this.filters = new Filters(commands);
    this.transforms = new Transforms({
      types: TYPES,
      presets: PRESETS,
      read: readTransforms,
      write: (transforms) => JSON.stringify(transforms, null, 1),
      onChange: (transforms, isTyping) => commands.setTransforms(transforms, isTyping),
    });
    this.highlights = new Highlights((patterns) => commands.setHighlights(patterns));
    this.sources = new SourceLinks();
    this.parting = section({id: 'parting', label: 'Frames', isOpen: false});
    this.parting.body.append(...PARTINGS.map(({flag, label}) => {
      const box = make('input', {type: 'checkbox', id: `part-${flag}`});
      box.addEventListener('change', () => commands.part(flag, box.checked));
      return make('label', {class: 'small'}, box, label);
    }));
    this.movedLines = make('p', {class: 'small'}, 'A line that an edit has moved is new where it is now, and has vanished where it was.');
    this.parting.body.append(this.movedLines);
    const sections = [this.filters, this.transforms, this.highlights, this.parting, this.sources];
    byId('panel-sections').append(...sections.map(({element}) => element));
    byId('toggle-panel').addEventListener('click', () => commands.panel());
    byId('close-panel').addEventListener('click', () => commands.panel());
  }

  /** @param {import('../model/place.js').Place} place @param {import('../model/decode.js').Profile} profile */
  show(place, profile) {
    const atWork = place.transforms.filter(({enabled}) => enabled !== false).length +
        Object.values(place.labels).filter((values) => values.length > 0).length;
    if (!place.panel && this.element.contains(document.activeElement)) byId('toggle-panel').focus();
    this.element.hidden = !place.panel;
    byId('toggle-panel').setAttribute('aria-expanded', place.panel);
    byId('panel-count').textContent = atWork;
    byId('panel-count').hidden = atWork === 0;
    for (const {flag} of PARTINGS) byId(`part-${flag}`).checked = place[flag];
    this.movedLines.hidden = !profile.header.difference;
    this.parting.tell(PARTINGS.filter(({flag}) => place[flag]).length);
    const keys = [...new Set((profile.labels ?? []).map(({key}) => key))];
    this.transforms.show(place.transforms, place.transforms.map((transform) => problemOf(transform, profile)), keys);
  }

  focus() { this.element.querySelector('summary').focus(); }
}

function readTransforms(text) {
  let transforms;
  try {
    transforms = JSON.parse(text);
  } catch (error) {
    throw new Error('This is no list of transforms: take the text of “Copy as text”.');
  }
  if (!Array.isArray(transforms) || !transforms.every(isTransform)) {
    throw new Error('This is no list of transforms: each needs a type, and texts for the rest.');
  }
  return transforms;
}
