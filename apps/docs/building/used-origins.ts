import type { SiteSettings } from '../site-settings.ts';

/** Origins that pages use beside their own, by directives of the content security policy. */
export type UsedOrigins = Readonly<Record<string, readonly string[]>>;

/** Where the files of fonts come from, of which a service keeps the style sheets apart. */
const fontFiles = (sheet: string): string => {
  const { origin } = new URL(sheet);
  return origin === 'https://fonts.googleapis.com' ? 'https://fonts.gstatic.com' : origin;
};

/**
 * What a site was built to use. The support chat is not among it: it stays away from the origin of a server, and only
 * there is a policy sent.
 */
export const usedOrigins = ({
  search,
  fontsUrl,
}: Pick<SiteSettings, 'fontsUrl' | 'search'>): UsedOrigins => ({
  ...(search !== undefined && {
    'connect-src': [
      `https://${search.appId.toLowerCase()}-dsn.algolia.net`,
      ...[1, 2, 3].map((host) => `https://${search.appId.toLowerCase()}-${host}.algolianet.com`),
      `https://${search.appId.toLowerCase()}.algolia.net`,
    ],
  }),
  ...(fontsUrl !== undefined && {
    'style-src': [new URL(fontsUrl).origin],
    'font-src': [fontFiles(fontsUrl)],
  }),
});
