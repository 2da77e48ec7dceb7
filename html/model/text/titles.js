// The titles of the page and of the browser's tab, from the profile's origin.

/** @return {string} the title that was given, else the program, else the title of the writer */
export function titleOf(header) {
  const {title = '', program = ''} = header;
  if (hasOwnTitle(header) || program === '') return title || 'Flame graph';
  return program;
}

/** @return {string} title of the tab: Shop · pid 4711 on web-3 · cpu */
export function documentTitleOf(header) {
  const {program = '', event = ''} = header;
  if (hasOwnTitle(header) || program === '') return titleOf(header);
  return [program, ...placeOf(header), ...(event ? [event] : [])].join(' · ');
}

/** @return {string[]} the process in words: com.acme.Shop (pid 4711 on web-3); without the program if that is the title */
export function processOf(header) {
  const place = placeOf(header);
  if (!header.program) return place;
  if (titleOf(header) === header.program) return place;
  return [place.length > 0 ? `${header.program} (${place[0]})` : header.program];
}

/** @return {string[]} pid 4711 on web-3 */
function placeOf({pid, host}) {
  if (!pid) return host ? [`on ${host}`] : [];
  return [host ? `pid ${pid} on ${host}` : `pid ${pid}`];
}

/** Whether the title is not the one that writers make of the event. */
function hasOwnTitle({title = '', event = ''}) { return title !== '' && title !== 'Flame graph' && title !== `${event} flame graph`; }
