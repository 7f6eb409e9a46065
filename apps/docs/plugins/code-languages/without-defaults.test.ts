import { throws } from 'node:assert/strict';
import { test } from 'node:test';
import { withoutDefaults } from './without-defaults.ts';

test('a highlighter with an unknown structure fails the build', () => {
  throws(
    () => withoutDefaults('export const Prism = {};'),
    /must contain a part from "Prism\.languages\.markup ="/,
  );
});
