import type { Dataset } from '@redoubt/contract';
import { EmptyState, ErrorState, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useState, type FormEvent, type ReactElement } from 'react';
import { api, describeError } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { keys } from '../../api/keys.ts';
import { findProblem } from './lucene-terms.ts';
import { LuceneInput, type SearchField } from './LuceneInput.tsx';
import { SearchExamples } from './SearchExamples.tsx';
import { SearchResults } from './SearchResults.tsx';
import { searchText as texts } from '../../text/search.ts';

const route = getRouteApi('/search');
const recordsPerDataset = 5;

const useSearch = (expression: string) =>
  useQuery({
    queryKey: keys.search(expression),
    queryFn: ({ signal }) =>
      api.summarizeLucene(
        { body: { expression, limit: recordsPerDataset, highlight: true, includeInternalRecordId: true } },
        { signal },
      ),
    enabled: expression !== '',
  });

/** The fields of all datasets that the person may read, without duplicates. */
const fieldsOf = (datasets: readonly Dataset[]): SearchField[] => {
  const types = new Map<string, string>();
  for (const { schema, currentUserPermissions } of datasets) {
    if (!currentUserPermissions.read) continue;
    for (const [name, { type }] of Object.entries(schema)) types.set(name, type);
  }
  return [...types].map(([name, type]) => ({ name, type }));
};

/** The page that searches all datasets that the person may read, and shows the first matches of each. */
export const SearchPage = (): ReactElement => {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(q);
  const [isTried, setTried] = useState(false);
  const datasets = useQuery(datasetsQuery);
  const fields = useMemo(() => fieldsOf(datasets.data?.data ?? []), [datasets.data]);
  const problem = useMemo(() => findProblem(text), [text]);
  const { data, error, isFetching, refetch } = useSearch(q);
  useEffect(() => setText(q), [q]);

  const search = (wanted: string): void => {
    setText(wanted);
    setTried(true);
    if (findProblem(wanted) === undefined)
      void navigate({ search: wanted.trim() === '' ? {} : { q: wanted.trim() } });
  };
  const total = data?.reduce((sum, { total: count }) => sum + count, 0) ?? 0;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader title={texts.search} facts={texts.facts} />
      <Box
        component="form"
        role="search"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          search(text);
        }}
        sx={{ display: 'flex', gap: 1, alignItems: 'center' }}
      >
        <LuceneInput text={text} fields={fields} onChange={setText} onSubmit={search} />
        <Button type="submit" variant="contained" color="primary">
          {texts.search}
        </Button>
      </Box>
      <Typography
        variant="caption"
        component="p"
        role={isTried && problem !== undefined ? 'alert' : undefined}
        sx={{ minHeight: 16, mt: 0.5, mb: 2, color: problem === undefined ? 'text.secondary' : 'error.main' }}
      >
        {problem === undefined ? texts.syntax : problem.hint}
      </Typography>
      {error !== null && (
        <ErrorState title={texts.failed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {q === '' && <SearchExamples fields={fields} onChoose={search} />}
      {q !== '' && data === undefined && isFetching && (
        <TableSkeleton label={texts.searching} columns={[1, 4]} />
      )}
      {data !== undefined && q !== '' && (
        <>
          <Typography role="status" sx={{ mb: 2, opacity: isFetching ? 0.6 : 1 }}>
            {texts.matchesIn(total, data.length)}
          </Typography>
          {data.length === 0 && (
            <EmptyState
              title={texts.noMatch}
              action={<Button onClick={() => search('')}>{texts.clearSearch}</Button>}
            >
              {texts.noMatchHint}
            </EmptyState>
          )}
          <SearchResults summaries={data} expression={q} />
        </>
      )}
    </Box>
  );
};
