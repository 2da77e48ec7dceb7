// Whether the page is being printed, where nothing scrolls. Registers before all other listeners.

let printing = false;
addEventListener('beforeprint', () => printing = true);
addEventListener('afterprint', () => printing = false);

export function isPrinting() { return printing; }
