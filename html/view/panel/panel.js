// The side panel: filters, transforms, highlights, splitting of frames, source links.

import {PRESETS} from '../../model/transforms/presets.js';
import {isTransform} from '../../model/view_state.js';
import {problemOf} from '../../model/transforms/transforms.js';
import {groupKeys} from '../../model/trees/grouping.js';

import {byId, make} from '../dom.js';
import {Filters} from './filters.js';
import {Highlights} from './highlights.js';
import {section} from './section.js';
import {SourceLinks} from './source_links.js';
import {Transforms} from './transforms.js';

const FRAME = 'Frame: text or /regex/';
const STACK = 'Text or /regex/; frames are separated by ;';
const TYPES = [
  {type: 'filter', label: 'Keep stacks with', what: STACK},
  {type: 'remove', label: 'Remove stacks with', what: STACK},
  {type: 'replace', label: 'Replace', what: STACK, replacement: 'Replacement; $1 is the first group'},
  {type: 'hide', label: 'Hide frames', what: FRAME},
  {type: 'fold', label: 'Hide callees of', what: FRAME},
  {type: 'keep-below', label: 'Start stacks at', what: FRAME},
  {type: 'keep-above', label: 'End stacks at', what: FRAME},
  {type: 'collapse-recursion', label: 'Collapse recursion', what: 'Frames to collapse (empty = all)', gaps: 'also with other frames between'},
  {type: 'merge-similar', label: 'Merge similar names (numbers of fn and lambda)'},
  {type: 'group', label: 'Group by label', what: 'Label'},
];

const PARTINGS = [
  {flag: 'lines', label: 'Split by line'},
  {flag: 'kinds', label: 'Split by execution: compiled, inlined, interpreted'},
];

export class Panel {
  /** @param {import('../commands.js').Commands} commands */
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
    this.movedLines = make('p', {class: 'small'}, 'A line that an edit moved shows as new at its new number and as vanished at its old one.');
    this.parting.body.append(this.movedLines);
    const sections = [this.filters, this.transforms, this.highlights, this.parting, this.sources];
    byId('panel-sections').append(...sections.map(({element}) => element));
    byId('toggle-panel').addEventListener('click', () => commands.panel());
    byId('close-panel').addEventListener('click', () => commands.panel());
  }

  /** @param {import('../../model/view_state.js').ViewState} place @param {import('../../model/data/decode.js').Profile} profile */
  show(viewState, profile) {
    const atWork = viewState.transforms.filter(({enabled}) => enabled !== false).length +
        Object.values(viewState.labels).filter((values) => values.length > 0).length + (viewState.ends.length > 0 ? 1 : 0);
    if (!viewState.panel && this.element.contains(document.activeElement)) byId('toggle-panel').focus();
    this.element.hidden = !viewState.panel;
    byId('toggle-panel').setAttribute('aria-expanded', viewState.panel);
    byId('panel-count').textContent = atWork;
    byId('panel-count').hidden = atWork === 0;
    for (const {flag} of PARTINGS) byId(`part-${flag}`).checked = viewState[flag];
    this.movedLines.hidden = !profile.header.difference;
    this.parting.showCount(PARTINGS.filter(({flag}) => viewState[flag]).length);
    const problems = viewState.transforms.map((transform) => problemOf(transform, profile));
    this.transforms.show(viewState.transforms, problems, groupKeys(profile));
  }

  focus() { this.element.querySelector('summary').focus(); }
}

function readTransforms(text) {
  let transforms;
  try {
    transforms = JSON.parse(text);
  } catch (error) {
    throw new Error('Not a list of transforms. Paste the text that “Copy as text” gives.');
  }
  if (!Array.isArray(transforms) || !transforms.every(isTransform)) {
    throw new Error('Not a list of transforms: each needs a type, and its other values must be text.');
  }
  return transforms;
}
