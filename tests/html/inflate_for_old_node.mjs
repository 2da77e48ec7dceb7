// Browsers have inflated raw deflate since 2022, Node since 20.12: older ones, as in Debian 12, get it from node:zlib.
import {Duplex} from 'node:stream';
import {createInflateRaw} from 'node:zlib';

function knowsRawDeflate() {
  try {
    new DecompressionStream('deflate-raw');
    return true;
  } catch {
    return false;
  }
}

if (!knowsRawDeflate()) {
  globalThis.DecompressionStream = class {
    constructor() { Object.assign(this, Duplex.toWeb(createInflateRaw())); }
  };
}
