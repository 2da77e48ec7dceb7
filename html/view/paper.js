// Whether what is drawn is for paper, where nothing scrolls. Known before anything else is told of the printing.

let onPaper = false;
addEventListener('beforeprint', () => onPaper = true);
addEventListener('afterprint', () => onPaper = false);

export function isOnPaper() { return onPaper; }
