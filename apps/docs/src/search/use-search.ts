import { useCallback, useEffect, useState } from 'react';
import type { SearchAnswer } from './search-service.ts';
import { useSearchService } from './use-search-service.ts';

/**
 * The delay after a key press: a hosted service is called only when the reader pauses, the local index for every
 * letter.
 */
const pauseForHostedMs = 200;

/** The state of a search. The previous results stay visible while a new search runs. */
export interface SearchState {
  readonly status: 'idle' | 'searching' | 'found' | 'failed';
  /** The query that `answer` belongs to. */
  readonly answered: string;
  readonly answer: SearchAnswer;
  readonly provider: string | undefined;
}

const nothing: SearchState = {
  status: 'idle',
  answered: '',
  answer: { hits: [], total: 0 },
  provider: undefined,
};

/** Searches whenever the text changes. `retry` searches again after a failure. `count` is the number of hits per page. */
export const useSearch = (text: string, count: number): SearchState & { readonly retry: () => void } => {
  const loadService = useSearchService();
  const [state, setState] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const query = text.trim();

  useEffect(() => {
    if (query === '') {
      setState(nothing);
      return undefined;
    }
    let current = true;
    const search = async (): Promise<void> => {
      setState((before) => ({ ...before, status: 'searching' }));
      try {
        const service = await loadService();
        if (service.provider !== undefined) await new Promise((done) => setTimeout(done, pauseForHostedMs));
        if (!current) return;
        const answer = await service.search(query, 0, count);
        if (current) setState({ status: 'found', answered: query, answer, provider: service.provider });
      } catch {
        if (current) setState({ ...nothing, status: 'failed', answered: query });
      }
    };
    void search();
    return () => {
      current = false;
    };
  }, [query, count, loadService, attempt]);

  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  return { ...state, retry };
};
