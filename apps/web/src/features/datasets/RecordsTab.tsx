import type { Dataset } from '@redoubt/contract';
import { DataGrid, EmptyState, ErrorState, formatNumber, toGridColumns } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useCallback, useMemo, useState, type FormEvent, type ReactElement } from 'react';
import { describeError, isError } from '../../api/client.ts';
import { useRecords } from './datasets.ts';

interface RecordsTabProps {
  dataset: Dataset;
  /** The Lucene expression in the address of the page. */
  search: string;
  onSearch: (search: string) => void;
}

const SearchBar = ({ search, onSearch }: Pick<RecordsTabProps, 'onSearch' | 'search'>): ReactElement => {
  const [text, setText] = useState(search);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <Box component="form" role="search" onSubmit={submit} sx={{ display: 'flex', gap: 1, flex: 1 }}>
      <OutlinedInput
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="Search in Lucene, such as name:london AND elevation_ft:[3000 TO *]"
        inputProps={{ 'aria-label': 'Search in Lucene' }}
        sx={{ flex: 1, maxWidth: 640 }}
      />
      <Button type="submit">Search</Button>
      {search !== '' && (
        <Button
          variant="text"
          onClick={() => {
            setText('');
            onSearch('');
          }}
        >
          Clear
        </Button>
      )}
    </Box>
  );
};

/** The records that the person sees, in a grid that loads more as it is scrolled. */
export const RecordsTab = ({ dataset, search, onSearch }: RecordsTabProps): ReactElement => {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRecords(
    dataset.id,
    search,
  );
  const rows = useMemo(
    (): Record<string, unknown>[] => data?.pages.flatMap((page) => page.records) ?? [],
    [data],
  );
  const columns = useMemo(() => toGridColumns(dataset.schema), [dataset.schema]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = data?.pages[0]?.total;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <Box
        sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap', px: { xs: 2, md: 3 }, py: 1 }}
      >
        <SearchBar key={search} search={search} onSearch={onSearch} />
        <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
          {typeof total === 'number' && `${formatNumber(total)} ${search === '' ? 'records' : 'matches'}`}
        </Typography>
      </Box>
      {error !== null && (
        <Box sx={{ px: 3 }}>
          <ErrorState
            title={isError(error, 'LuceneParseError') ? 'This search cannot be read' : 'The search failed'}
            {...describeError(error)}
            onRetry={isError(error, 'LuceneParseError') ? undefined : () => void refetch()}
          />
        </Box>
      )}
      {data === undefined && error === null && <Skeleton variant="rectangular" height={240} sx={{ mx: 3 }} />}
      {data !== undefined && rows.length === 0 && (
        <EmptyState
          title={search === '' ? 'No records that you see' : 'No record matches'}
          action={search === '' ? undefined : <Button onClick={() => onSearch('')}>Clear the search</Button>}
        >
          {search === '' && 'Write records with the API, as the tab "Use in code" shows.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Box sx={{ flex: 1, minHeight: 240, borderTop: 1, borderColor: 'divider' }}>
          <DataGrid
            label={`Records of ${dataset.name}`}
            columns={columns}
            rows={rows}
            onEndReached={loadMore}
          />
        </Box>
      )}
    </Box>
  );
};
