// Dark or light: as the system is set, until the reader chooses; the choice is remembered.

import {keep, recall} from './storage.js';

const KEY = 'hearth-theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** @return {'light'|'dark'} */
export function currentTheme() { return document.documentElement.dataset.theme; }

/** Sets the theme of the page now, and calls back whenever it changes by itself. Paper is always light. */
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
