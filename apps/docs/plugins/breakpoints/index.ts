import type { PluginConfig } from '@docusaurus/types';
import { breakpoints, desktopAbove } from '../../src/breakpoints.ts';

interface AtRule {
  params: string;
}

/** `(--from-md)`, `(--below-md)`, `(--desktop)` and `(--mobile)`, as media queries that browsers know. */
const queries: ReadonlyMap<string, string> = new Map([
  ...Object.entries(breakpoints).flatMap(([name, width]): [string, string][] => [
    [`(--from-${name})`, `(min-width: ${width}px)`],
    [`(--below-${name})`, `(max-width: ${width - 0.02}px)`],
  ]),
  ['(--desktop)', `(min-width: ${desktopAbove + 1}px)`],
  ['(--mobile)', `(max-width: ${desktopAbove}px)`],
]);

/**
 * Puts the numbers of the breakpoints into the parameters of a media query.
 * @throws Error when a name is none of a breakpoint
 */
export function resolveQuery(params: string): string {
  return params.replaceAll(/\(--[\w-]+\)/g, (name) => {
    const query = queries.get(name);
    if (query === undefined)
      throw new Error(`There is no breakpoint ${name}; there are ${[...queries.keys()].join(', ')}.`);
    return query;
  });
}

/** Lets style sheets name the breakpoints of the site instead of repeating their numbers. */
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
