// Formats the reply of GET /api/status.

import {formatCount, formatDuration, formatShare} from '../../model/text/numbers.js';

/** @return {?Object} the running session */
export function runningOf(status) { return status.sessions.find(({state}) => state === 'running') ?? null; }

/** @return {string} the events of each running session */
export function runningText(status) {
  return status.sessions.filter(({state}) => state === 'running').map(({event}) => event).join('; ');
}

/** @param {Object} jvm of a status @param {?Object} before  of the previous status @return {string[]} */
export function jvmFacts(jvm, before) {
  const facts = [`pid ${jvm.pid}`, jvm.runtime].filter((fact) => fact !== '');
  if (jvm.uptime_ns > 0) facts.push(`up ${formatDuration(jvm.uptime_ns)}`);
  const elapsed = before ? jvm.uptime_ns - before.uptime_ns : 0;
  if (elapsed > 0) facts.push(`${formatShare(Math.max(0, jvm.cpu_ns - before.cpu_ns), elapsed)} of a CPU`);
  return facts;
}

/** @return {{label: string, value: string, isWarning: boolean}[]} */
export function figuresOf(session) {
  const {quality} = session;
  const share = quality.whole_share;
  const lost = session.lost > 0 ? `${formatCount(session.lost)} · ${formatShare(session.lost, session.lost + session.samples)}` : '0';
  return [
    {label: 'Running', value: formatDuration(session.duration_ns), isWarning: false},
    {label: 'Samples', value: formatCount(session.samples), isWarning: false},
    {label: 'Lost', value: lost, isWarning: session.lost > 0},
    {label: 'Complete stacks', value: typeof share === 'number' ? formatShare(share, 1) : '–', isWarning: share < 0.9 && share !== null},
    {label: 'Overhead', value: `${formatShare(session.overhead, 1)} of a CPU`, isWarning: false},
    {label: 'Engine', value: session.engine, isWarning: false},
  ];
}
