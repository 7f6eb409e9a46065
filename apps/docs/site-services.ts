import type { SiteSettings } from './site-settings.ts';
import type { SearchSettings } from './src/search/search-service.ts';

/** The support chat of a site: the URL of its script, and the key that identifies the site. */
export interface ChatSettings {
  readonly key: string;
  readonly src: string;
}

/** What pages know of the services that they use; they find it among the site's custom fields. */
export interface SiteServices {
  readonly search: SearchSettings;
  readonly chat: ChatSettings | undefined;
}

/** The services of a build. With nothing set there are none: the search is the site's own, and nobody else is asked. */
export function siteServices({ search, searchReplacement, chat }: SiteSettings): SiteServices {
  return {
    search: {
      hosted: search && { ...search, indexName: 'documentation', contextualSearch: true },
      replace: searchReplacement,
    },
    chat,
  };
}
