/** Parts of the published file of prism-react-renderer, each from its first line to the one that begins the next. */
const parts = {
  languages: ['Prism.languages.markup =', '// src/themes/index.ts'],
  listOfThemes: ['__export(themes_exports, {', '// src/themes/dracula.ts'],
} as const;

/**
 * The highlighter without its own languages, and without the list of its themes: themes that nothing names are left
 * out of a bundle.
 * @param source the published file, as a module
 * @throws Error when it is put together in another way than is known
 */
export const withoutDefaults = (source: string): string =>
  Object.values(parts).reduce((text, [first, next]) => {
    const from = text.indexOf(`\n${first}`);
    const to = text.indexOf(`\n${next}`, from);
    if (from === -1 || to === -1) {
      throw new Error(
        `prism-react-renderer has no part from "${first}" to "${next}"; see plugins/code-languages.`,
      );
    }
    return text.slice(0, from) + text.slice(to);
  }, source);
