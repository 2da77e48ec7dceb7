// Entries of the context menu of a frame.

import {exactly} from '../model/transforms/pattern.js';
import {escapePattern} from '../model/search.js';
import {isLinkTemplate, sourceLink} from '../model/text/source.js';

/**
 * @param {string} name of the frame
 * @param {Object} where zoom (function or null), stack (function that copies it, or null), line (0: unknown),
 *     viewState, views (ids), template (of links to sources)
 * @param {Object} commands of the App: view, transform, highlight, copy, open
 * @return {?[string, Function, string][]} label, action, key; null between groups
 */
export function entriesOf(name, where, commands) {
  const {viewState, views} = where;
  const showIn = (view, label, key) =>
      views.includes(view) && viewState.view !== view ? [[label, () => commands.showMethod(view, name), key]] : [];
  const transform = (label, type, more = {}) => [label, () => commands.transform({type, what: exactly(name), enabled: true, ...more})];
  const link = sourceLink(where.template, name, where.line);
  const groups = [
    [
      ...(where.zoom ? [['Zoom in', where.zoom, 'Enter']] : []),
      ...showIn('flame', 'Show in flame graph'),
      ...showIn('sandwich', 'Callers and callees (sandwich)', 'W'),
      ...showIn('lines', 'Line by line', 'L'),
      ['Highlight', () => commands.highlight(`^${escapePattern(name)}$`), 'H'],
    ],
    [
      transform('Keep only stacks with this frame', 'filter'),
      transform('Focus on callees', 'keep-below'),
      transform('Remove stacks with this frame', 'remove'),
      transform('Hide frame (count it as its caller)', 'hide'),
      transform('Hide callees', 'fold'),
      transform('Collapse recursion', 'collapse-recursion', {gaps: true}),
    ],
    [
      ['Copy name', () => commands.copy(name, 'Name')],
      ...(where.stack ? [['Copy stack', where.stack]] : []),
      ...(link ? [['Open source', () => commands.open(link)]] : []),
      ...(isLinkTemplate(where.template) ? [] : [['Set a source link…', () => commands.askForLink()]]),
    ],
  ];
  return groups.filter((group) => group.length > 0).flatMap((group, i) => i === 0 ? group : [null, ...group]);
}
