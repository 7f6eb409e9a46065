import { useEffect, useRef, useState } from 'react';
import type { Tabs } from './drafts/use-tabs.ts';
import { queryOf } from './sql-text.ts';
import { fetchRunText } from './query-history.ts';
import { fetchSavedQuery } from './saved-queries.ts';

interface Wanted {
  tabs: Tabs;
  /** The saved query in the address. */
  queryId: string | undefined;
  /** The run of the history in the address. */
  runId: string | undefined;
  /** The name of the dataset in the address. */
  dataset: string | undefined;
  /** The text of the first tab of a person who has none. */
  sample: string;
  isReady: boolean;
}

/**
 * Opens the tab for what the address names: a saved query, a dataset, or a sample where there is no tab yet.
 * @returns the error for a saved query that does not exist
 */
export const useOpenFromAddress = ({ tabs, queryId, runId, dataset, sample, isReady }: Wanted): unknown => {
  const [missing, setMissing] = useState<unknown>();
  const done = useRef('');
  const latest = useRef(tabs);
  latest.current = tabs;
  const isLoaded = tabs.tabs !== undefined;

  useEffect(() => {
    if (!isLoaded || !isReady) return;
    const { tabs: open = [], active } = latest.current;
    const wanted = `${queryId ?? ''} ${runId ?? ''} ${dataset ?? ''}`;
    if (queryId !== undefined && active?.saved?.id === queryId) {
      done.current = wanted;
      return;
    }
    if (done.current === wanted && open.length > 0) return;
    done.current = wanted;
    setMissing(undefined);
    if (queryId !== undefined) {
      const existing = open.find(({ saved }) => saved?.id === queryId);
      if (existing !== undefined) {
        latest.current.select(existing.id);
        return;
      }
      fetchSavedQuery(queryId)
        .then(({ id, name, text, version }) =>
          latest.current.open(text, { name, saved: { id, version, text } }),
        )
        .catch(setMissing);
    } else if (runId !== undefined) {
      fetchRunText(runId)
        .then((text) => latest.current.open(text ?? sample))
        .catch(setMissing);
    } else if (dataset !== undefined) {
      const text = queryOf(dataset);
      const existing = open.find((draft) => draft.text === text);
      if (existing === undefined) latest.current.open(text);
      else latest.current.select(existing.id);
    } else if (open.length === 0) {
      latest.current.open(sample);
    }
  }, [isLoaded, isReady, queryId, runId, dataset, sample, tabs.tabs?.length]);
  return missing;
};
