import { throws } from 'node:assert/strict';
import { test } from 'node:test';
import { withoutDefaults } from './without-defaults.ts';

test('a highlighter that is put together in an unknown way fails the build', () => {
  throws(() => withoutDefaults('export const Prism = {};'), /has no part from "Prism\.languages\.markup ="/);
});
