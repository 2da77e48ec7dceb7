// The rules for JavaScript. tests/run style runs eslint with them, from the top of the repository.

import js from '@eslint/js';
import globals from 'globals';

export default [
  {ignores: ['build/', 'build-*/']},
  js.configs.recommended,
  {
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    rules: {
      'eqeqeq': 'error',
      'no-control-regex': 'off',  // these expressions search for control characters
      'no-unused-vars': ['error', {caughtErrors: 'none', destructuredArrayIgnorePattern: '^_', varsIgnorePattern: '^_$'}],
      'no-var': 'error',
      'prefer-const': 'error',
      'require-yield': 'off',  // a step of work may end without a pause
    },
  },
  {files: ['html/**/*.js'], languageOptions: {globals: globals.browser}},
  // A browser's test has functions that run in the page.
  {files: ['**/*.mjs'], languageOptions: {globals: {...globals.node, ...globals.browser}}},
];
