// Base class of both presenters: knows the kinds of the frames.

import {familiesOfFrames} from '../../model/data/kinds.js';

export class ProfilePresenter {
  /** @param {import('../../model/data/decode.js').Profile} profile */
  constructor(profile) { this.profile = profile; }

  /** Whether entries are changes or amounts. */
  get isOfChanges() { return false; }

  /** Whether values of a column can be negative. */
  isSigned() { return false; }

  /** @return {number[]} for each cell, share (0 to 1) shown by a bar; NaN or missing: no bar */
  barsOf() { return []; }

  /** @return {string[]} CSS class of each cell */
  looksOf() { return []; }

  /** @return {string} mark before an entry's name, '': none */
  markOf() { return ''; }

  get valueType() { return this.callTree.valueType; }

  /**
   * @param {import('../../model/trees/call_tree.js').CallTree} callTree  the tree to present
   * @param {boolean} isTiered  whether colours show how frames ran
   */
  take(callTree, isTiered = false) {
    this.callTree = callTree;
    const {table} = callTree;
    // Transforms may add frames to the same table.
    if (table === this.table && table.count === this.frameFamilies.length && isTiered === this.isTiered) return;
    this.table = table;
    this.isTiered = isTiered;
    this.frameFamilies = familiesOfFrames(table);
    this.takeFrames(table);
  }

  /** @param {import('../../model/data/frame_table.js').FrameTable} table  with new or additional frames */
  takeFrames() {}
}
