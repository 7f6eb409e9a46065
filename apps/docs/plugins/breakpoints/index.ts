import type { PluginConfig } from '@docusaurus/types';
import { breakpoints, desktopAbove } from '../../src/breakpoints.ts';

interface AtRule {
  params: string;
}

/** The media queries of `(--from-md)`, `(--below-md)`, `(--desktop)` and `(--mobile)`. */
const queries: ReadonlyMap<string, string> = new Map([
  ...Object.entries(breakpoints).flatMap(([name, width]): [string, string][] => [
    [`(--from-${name})`, `(min-width: ${width}px)`],
    [`(--below-${name})`, `(max-width: ${width - 0.02}px)`],
  ]),
  ['(--desktop)', `(min-width: ${desktopAbove + 1}px)`],
  ['(--mobile)', `(max-width: ${desktopAbove}px)`],
]);

/**
 * Replaces the named breakpoints of a media query by numbers.
 * @throws Error for an unknown name
 */
export function resolveQuery(params: string): string {
  return params.replaceAll(/\(--[\w-]+\)/g, (name) => {
    const query = queries.get(name);
    if (query === undefined)
      throw new Error(
        `The media query must use a known breakpoint, got ${name}. Use one of ${[...queries.keys()].join(', ')}.`,
      );
    return query;
  });
}

/** Lets style sheets refer to the breakpoints of the site by name. */
export const breakpointsPlugin: PluginConfig = () => ({
  name: 'breakpoints',
  configurePostCss(options) {
    const plugin = {
      postcssPlugin: 'breakpoints',
      AtRule: {
        media: (rule: AtRule) => {
          if (rule.params.includes('(--')) rule.params = resolveQuery(rule.params);
        },
      },
    };
    return { ...options, plugins: [plugin, ...options.plugins] };
  },
});
