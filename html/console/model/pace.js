// Polling intervals.

export const STATUS_MILLISECONDS = {running: 1000, idle: 2500, lost: 2000};

const SHORTEST = 3000;
const LONGEST = 60_000;
/** At most 1 / PARTS of the time is spent on reading the live profile. */
const PARTS = 25;

/** @param {number} cost milliseconds that the last reading took @return {number} milliseconds until the next */
export function pauseAfter(cost) { return Math.min(LONGEST, Math.max(SHORTEST, PARTS * cost)); }
