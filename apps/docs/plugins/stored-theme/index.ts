import type { Plugin } from '@docusaurus/types';

/**
 * The theme's own script puts a stored choice into the page as it is. This one comes right after it, before anything is
 * drawn, and takes a choice that is neither light nor dark for none.
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

/** Stands among the themes, behind the one whose script it mends. */
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
