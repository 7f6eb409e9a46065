import type { ResponseOf, Routes } from '@redoubt/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { placeOfError } from './editor/error-place.ts';
import type { StatementRange } from './statements.ts';

export interface SqlResult extends Pick<ResponseOf<Routes['query']>, 'more' | 'records' | 'schema'> {
  readonly text: string;
  readonly limit: number;
  readonly milliseconds: number;
  readonly at: Date;
}

export interface RunState {
  /** The `performance.now` at which the running statement began; undefined if none runs. */
  readonly startedAt?: number | undefined;
  readonly isCanceling?: boolean | undefined;
  /** The last result. It stays while another statement runs and after an error. */
  readonly result?: SqlResult | undefined;
  readonly error?: unknown;
  /** The range of the text that the error is about. */
  readonly wrong?: StatementRange | undefined;
  /** Whether the result is older than the last run. */
  readonly isStale?: boolean | undefined;
}

interface SqlRuns {
  /** The state of each tab by its id. */
  runs: Readonly<Record<string, RunState>>;
  /** @returns false if the statement failed */
  run: (tab: string, text: string, range: StatementRange, limit: number) => Promise<boolean>;
  loadMore: (tab: string, count: number) => Promise<void>;
  /** Cancels the running statement of a tab on the server. */
  cancel: (tab: string) => Promise<void>;
}

/** Runs statements, one at a time in each tab. Leaving the page cancels all of them. */
export const useSqlRuns = (): SqlRuns => {
  const [runs, setRuns] = useState<Readonly<Record<string, RunState>>>({});
  const latest = useRef(runs);
  latest.current = runs;
  const searchIds = useRef(new Map<string, string>());
  const client = useQueryClient();

  const set = useCallback((tab: string, change: (old: RunState) => RunState) => {
    setRuns((old) => ({ ...old, [tab]: change(old[tab] ?? {}) }));
  }, []);

  useEffect(() => {
    const running = searchIds.current;
    return () => {
      for (const searchId of running.values())
        api.cancelQuery({ params: { searchId } }).catch(() => undefined);
    };
  }, []);

  const send = async (tab: string, expression: string, limit: number, offset: number) => {
    const searchId = crypto.randomUUID();
    searchIds.current.set(tab, searchId);
    try {
      return await api.query({ body: { expression, limit, offset, searchId, countTotal: false } });
    } finally {
      searchIds.current.delete(tab);
      void client.invalidateQueries({ queryKey: keys.queryHistory });
    }
  };

  return {
    runs,
    run: async (tab, text, range, limit) => {
      if (searchIds.current.has(tab)) return true;
      const statement = text.slice(range.from, range.to);
      const start = performance.now();
      set(tab, ({ result }) => ({ result, startedAt: start, isStale: result !== undefined }));
      try {
        const { records, schema, more } = await send(tab, statement, limit, 0);
        const milliseconds = Math.round(performance.now() - start);
        const result = { records, schema, more, text: statement, limit, milliseconds, at: new Date() };
        set(tab, () => ({ result }));
        return true;
      } catch (error) {
        const wrong = placeOfError(error, statement, range.from);
        set(tab, ({ result }) => ({ result, error, wrong, isStale: result !== undefined }));
        return false;
      }
    },
    loadMore: async (tab, count) => {
      const { result } = latest.current[tab] ?? {};
      if (result === undefined || searchIds.current.has(tab)) return;
      set(tab, (old) => ({ ...old, startedAt: performance.now(), error: undefined }));
      try {
        const next = await send(tab, result.text, count, result.records.length);
        const records = [...result.records, ...next.records];
        set(tab, () => ({ result: { ...result, records, more: next.more } }));
      } catch (error) {
        set(tab, () => ({ result, error }));
      }
    },
    cancel: async (tab) => {
      const searchId = searchIds.current.get(tab);
      if (searchId === undefined) return;
      set(tab, (old) => ({ ...old, isCanceling: true }));
      // Canceling a statement that has just ended fails, which does not matter.
      await api.cancelQuery({ params: { searchId } }).catch(() => undefined);
    },
  };
};
