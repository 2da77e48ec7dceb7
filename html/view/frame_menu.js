// What can be done with a frame, from wherever it is shown.

import {exactly} from '../model/pattern.js';
import {escapePattern} from '../model/search.js';
import {isLinkTemplate, sourceLink} from '../model/source.js';

/**
 * @param {string} name of the frame
 * @param {Object} where zoom (function, or null where there is none), stack (function that copies it, or null), line (0: unknown),
 *     place, views (ids), template (of links to sources)
 * @param {Object} commands of the App: view, transform, highlight, copy, open
 * @return {?[string, Function, string][]} label, action, key; null between groups
 */
export function entriesOf(name, where, commands) {
  const {place, views} = where;
  const showIn = (view, label, key) =>
      views.includes(view) && place.view !== view ? [[label, () => commands.showMethod(view, name), key]] : [];
  const transform = (label, type, more = {}) => [label, () => commands.transform({type, what: exactly(name), enabled: true, ...more})];
  const link = sourceLink(where.template, name, where.line);
  const groups = [
    [
      ...(where.zoom ? [['Zoom in', where.zoom, 'Enter']] : []),
      ...showIn('flame', 'Show in the flame graph'),
      ...showIn('sandwich', 'Callers and callees (sandwich)', 'W'),
      ...showIn('lines', 'Line by line', 'L'),
      ['Highlight', () => commands.highlight(`^${escapePattern(name)}$`), 'H'],
    ],
    [
      transform('Only stacks with it', 'filter'),
      transform('Only what it calls', 'keep-below'),
      transform('Remove stacks with it', 'remove'),
      transform('Hide it, its weight to the caller', 'hide'),
      transform('Fold what it calls', 'fold'),
      transform('Collapse its recursion', 'collapse-recursion', {gaps: true}),
    ],
    [
      ['Copy name', () => commands.copy(name, 'Name')],
      ...(where.stack ? [['Copy stack', where.stack]] : []),
      ...(link ? [['Open source', () => commands.open(link)]] : []),
      ...(isLinkTemplate(where.template) ? [] : [['Open source by a link…', () => commands.askForLink()]]),
    ],
  ];
  return groups.filter((group) => group.length > 0).flatMap((group, i) => i === 0 ? group : [null, ...group]);
}
