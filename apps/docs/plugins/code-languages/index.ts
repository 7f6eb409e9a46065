import type { Plugin } from '@docusaurus/types';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { withoutDefaults } from './without-defaults.ts';

const renderer = 'prism-react-renderer';

/**
 * Removes unused languages and themes from the code highlighter, which every page loads. The languages of the site are
 * in `prism.additionalLanguages`; its theme is in its configuration.
 */
export const codeLanguages = (): Plugin => {
  let file = '';
  return {
    name: 'code-languages',
    contentLoaded: async ({ actions }) => {
      const whole = createRequire(import.meta.url)
        .resolve(renderer)
        .replace(/\.js$/, '.mjs');
      file = await actions.createData('renderer.js', withoutDefaults(readFileSync(whole, 'utf8')));
    },
    configureWebpack: () => ({ resolve: { alias: { [`${renderer}$`]: file } } }),
  };
};
