// node page_changes.mjs PAGE.html [amounts] prints the change of each method by the page of a difference, as `hearth diff -o json` does.

import '../../../tests/html/inflate_for_old_node.mjs';

import {readFileSync} from 'node:fs';

import {dataOf} from '../../../html/console/model/live_profile.js';
import {decodePage} from '../../../html/model/data/decode.js';
import {Engine} from '../../../html/model/trees/engine.js';
import {firstViewState, requestOf} from '../../../html/model/view_state.js';
import {topTable} from '../../../html/model/trees/tables.js';
import {finish} from '../../../html/model/work.js';

const [path, scale = 'shares'] = process.argv.slice(2);
const profile = await decodePage(dataOf(readFileSync(path, 'latin1')));
const tree = finish(new Engine(profile).derive(requestOf({...firstViewState(profile.header), scale})));
const told = ({change, bound, isNoise}) => ({change, bound, noise: isNoise});
const methods = finish(topTable(tree)).map(({name, self, total}) => ({name, self: told(self), total: told(total)}));
console.log(JSON.stringify({methods}));
