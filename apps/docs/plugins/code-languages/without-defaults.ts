/**
 * The parts of the published file of prism-react-renderer to remove: the first line of each, and the line after its
 * end.
 */
const parts = {
  languages: ['Prism.languages.markup =', '// src/themes/index.ts'],
  listOfThemes: ['__export(themes_exports, {', '// src/themes/dracula.ts'],
} as const;

/**
 * The highlighter without its own languages and without the list of its themes. A bundler then drops the themes that
 * nothing refers to.
 * @param source the published file, as a module
 * @throws Error if its structure is unknown
 */
export const withoutDefaults = (source: string): string =>
  Object.values(parts).reduce((text, [first, next]) => {
    const from = text.indexOf(`\n${first}`);
    const to = text.indexOf(`\n${next}`, from);
    if (from === -1 || to === -1) {
      throw new Error(
        `prism-react-renderer must contain a part from "${first}" to "${next}". Adapt plugins/code-languages.`,
      );
    }
    return text.slice(0, from) + text.slice(to);
  }, source);
