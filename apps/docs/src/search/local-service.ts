import type MiniSearch from 'minisearch';
import { excerptOf, highlight } from './highlight.ts';
import { type FoundEntry, readIndex, type SearchEntry, searchIndex } from './local-index.ts';
import type { SearchHit, SearchService } from './search-service.ts';

export { indexFile } from './local-index.ts';

const toHit = ({ url, page, area, headings, text }: FoundEntry, query: string): SearchHit => ({
  id: url,
  url,
  page,
  area,
  title: highlight(headings.at(-1) ?? page, query),
  trail: headings.slice(0, -1),
  excerpt: excerptOf(text, query),
});

const fetchIndex = async (url: string): Promise<MiniSearch<SearchEntry>> => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The search index could not be loaded: ${url} answered ${answer.status}.`);
  return readIndex(await answer.text());
};

/** Searches the index that is built with the site. The index is loaded once; a failed load is retried. */
export const createLocalService = (indexUrl: string): SearchService => {
  let loading: Promise<MiniSearch<SearchEntry>> | undefined;
  const load = (): Promise<MiniSearch<SearchEntry>> => {
    loading ??= fetchIndex(indexUrl).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    prepare: async () => {
      await load();
    },
    search: async (query, page, hitsPerPage) => {
      const found = searchIndex(await load(), query);
      const hits = found
        .slice(page * hitsPerPage, (page + 1) * hitsPerPage)
        .map((entry) => toHit(entry, query));
      return { hits, total: found.length };
    },
  };
};
