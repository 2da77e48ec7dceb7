// What both ways to tell a profile know of its frames.

import {familiesOfFrames} from '../model/kinds.js';

export class Reading {
  /** @param {import('../model/decode.js').Profile} profile */
  constructor(profile) { this.profile = profile; }

  /** Whether entries are changes, else amounts. */
  get isOfChanges() { return false; }

  /** Whether what a column holds is more or less than nothing. */
  isSigned() { return false; }

  /** @return {number[]} for each cell, share of 1 that a bar shows; NaN or nothing: no bar */
  barsOf() { return []; }

  /** @return {string[]} for each cell, how it looks */
  looksOf() { return []; }

  /** @return {string} what an entry's name is marked with, '' with nothing */
  markOf() { return ''; }

  get valueType() { return this.callTree.valueType; }

  /** @param {import('../model/call_tree.js').CallTree} callTree  what is told from now on */
  take(callTree) {
    this.callTree = callTree;
    const {table} = callTree;
    // Transforms make frames in the table that there is.
    if (table === this.table && table.count === this.frameFamilies.length) return;
    this.table = table;
    this.frameFamilies = familiesOfFrames(table);
    this.takeFrames(table);
  }

  /** @param {import('../model/frame_table.js').FrameTable} table  whose frames are other ones than before */
  takeFrames() {}
}
