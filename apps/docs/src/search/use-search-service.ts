import { useDocsContextualSearchTags } from '@docusaurus/plugin-content-docs/client';
import useDocusaurusContext from '@docusaurus/useDocusaurusContext';
import { useCallback } from 'react';
import type { SearchService, SearchSettings } from './search-service.ts';

/** The search window and the search page share a service, so that the index is loaded once. */
const services = new Map<string, Promise<SearchService>>();

const shared = (key: string, create: () => Promise<SearchService>): Promise<SearchService> => {
  const known = services.get(key);
  if (known !== undefined) return known;
  const created = create();
  services.set(key, created);
  // A failed load is retried at the next search.
  created.catch(() => services.delete(key));
  return created;
};

/** Returns a function that loads the configured service. Nothing is loaded before its first call. */
export const useSearchService = (): (() => Promise<SearchService>) => {
  const { siteConfig, i18n } = useDocusaurusContext();
  const tags = ['default', ...useDocsContextualSearchTags()].join(' ');
  const language = i18n.currentLocale;
  return useCallback(() => {
    const { baseUrl, url: siteUrl, customFields } = siteConfig;
    const { hosted, replace } = (customFields?.['search'] ?? {}) as SearchSettings;
    return hosted === undefined
      ? shared(baseUrl, async () => {
          const { createLocalService, indexFile } = await import('./local-service.ts');
          return createLocalService(`${baseUrl}${indexFile}`);
        })
      : shared(`${hosted.appId} ${tags}`, async () => {
          const { createHostedService } = await import('./hosted-service.ts');
          return createHostedService({
            hosted,
            rules: { siteUrl, origin: window.location.origin, replace },
            context: { language, tags: tags.split(' ') },
          });
        });
  }, [siteConfig, tags, language]);
};
