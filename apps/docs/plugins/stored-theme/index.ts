import type { Plugin } from '@docusaurus/types';

/**
 * The theme's own script applies a stored choice unchecked. This script runs right after it, before anything is drawn,
 * and removes a choice that is neither light nor dark.
 */
const script = (whenNone: string, choiceOfNone: string): string => `(function() {
  var root = document.documentElement;
  var choice = root.getAttribute('data-theme-choice');
  if (['light', 'dark', '${choiceOfNone}'].indexOf(choice) >= 0) return;
  root.setAttribute('data-theme', ${whenNone});
  root.setAttribute('data-theme-choice', '${choiceOfNone}');
  try { localStorage.removeItem('theme'); } catch (error) {}
})();`;

const ofTheSystem = `matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'`;

export interface StoredTheme {
  readonly respectSystem: boolean;
}

/** Must be listed after the theme whose script it corrects. */
export const storedTheme = (_context: unknown, { respectSystem }: StoredTheme): Plugin => ({
  name: 'stored-theme',
  injectHtmlTags: () => ({
    preBodyTags: [
      {
        tagName: 'script',
        innerHTML: respectSystem ? script(ofTheSystem, 'system') : script(`'light'`, 'light'),
      },
    ],
  }),
});
