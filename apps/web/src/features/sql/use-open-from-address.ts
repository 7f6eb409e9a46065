import { useEffect, useRef, useState } from 'react';
import type { Tabs } from './drafts/use-tabs.ts';
import { fetchRunText } from './query-history.ts';
import { fetchSavedQuery } from './saved-queries.ts';
import { queryOf } from './editor/complete-sql.ts';

interface Wanted {
  tabs: Tabs;
  /** The id of the saved query in the address. */
  queryId: string | undefined;
  /** The id of the run in the address. */
  runId: string | undefined;
  /** The name of the dataset in the address. */
  dataset: string | undefined;
  /** The text of the first tab, for a person who has no tab yet. */
  sample: string;
  isReady: boolean;
}

/**
 * Opens the tab that the address names: a saved query, a run or a dataset. Opens a sample if there is no tab yet.
 * @returns the error if the saved query or run does not exist
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
