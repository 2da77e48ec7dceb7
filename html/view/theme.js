// Dark or light theme: the system's setting until the reader chooses; the choice is stored.

import {keep, recall} from './storage.js';

const KEY = 'hearth-theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** @return {'light'|'dark'} */
export function currentTheme() { return document.documentElement.dataset.theme; }

/** Sets the theme of the page, and calls back when the system's theme changes or the page is printed. Printing is always light. */
export function followTheme(onChange) {
  const apply = (theme = remembered() ?? (systemDark.matches ? 'dark' : 'light')) => {
    document.documentElement.dataset.theme = theme;
  };
  const change = (theme) => {
    apply(theme);
    onChange();
  };
  apply();
  systemDark.addEventListener('change', () => change());
  addEventListener('beforeprint', () => change('light'));
  addEventListener('afterprint', () => change());
}

export function toggleTheme() {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  keep(KEY, theme);
}

function remembered() {
  const theme = recall(KEY);
  return theme === 'light' || theme === 'dark' ? theme : null;
}
