import type { Dataset } from '@redoubt/contract';
import { EmptyState, ErrorState, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, Search } from '@redoubt/ui/icons';
import { useRef, useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { ListFacts } from '../../parts/ListFacts.tsx';
import { datasetsText as texts } from '../../text/datasets.ts';
import { DatasetTable } from './DatasetTable.tsx';
import { useDatasets } from './datasets.ts';
import { NewDatasetDialog } from './NewDatasetDialog.tsx';

const route = getRouteApi('/datasets');
const byName = new Intl.Collator('en', { numeric: true });

const contains = ({ name, description }: Dataset, wanted: string): boolean =>
  `${name} ${description}`.toLowerCase().includes(wanted);

/** All datasets that are visible to the person, each with the number of records that they can see. */
export const DatasetsPage = (): ReactElement => {
  const { filter = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, dataUpdatedAt, error, refetch } = useDatasets();
  const [isCreating, setIsCreating] = useState(false);
  const filterField = useRef<HTMLInputElement>(null);
  usePageActions([
    {
      id: 'datasets.create',
      title: texts.newDataset,
      keys: 'c',
      icon: Plus,
      run: () => setIsCreating(true),
    },
    {
      id: 'datasets.filter',
      title: texts.filter,
      keys: '/',
      icon: Search,
      run: () => filterField.current?.focus(),
    },
  ]);
  const all: readonly Dataset[] = data?.data ?? [];
  const wanted = filter.trim().toLowerCase();
  const shown = all
    .filter((dataset) => contains(dataset, wanted))
    .toSorted((one, other) => byName.compare(one.name, other.name));
  const setFilter = (next: string): void =>
    void navigate({ search: next === '' ? {} : { filter: next }, replace: true });
  const buttons = (
    <>
      <Button onClick={() => setIsCreating(true)}>{texts.newDataset}</Button>
      <LinkButton to="/datasets/new" variant="contained" color="primary">
        {texts.importFiles}
      </LinkButton>
    </>
  );
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${texts.title} · Redoubt`}</title>
      <PageHeader
        title={texts.title}
        facts={all.length > 0 && <ListFacts text={texts.facts(all.length)} loadedAt={dataUpdatedAt} />}
        actions={all.length > 0 && buttons}
      />
      {error !== null && (
        <ErrorState title={texts.failed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton label={texts.loading} />}
      {data !== undefined && all.length === 0 && (
        <EmptyState
          title={texts.none}
          action={<Box sx={{ display: 'flex', gap: 1, justifyContent: 'center' }}>{buttons}</Box>}
        >
          {texts.noneHint}
        </EmptyState>
      )}
      {all.length > 0 && (
        <>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 2 }}>
            <OutlinedInput
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
              placeholder={texts.filter}
              inputProps={{ 'aria-label': texts.filter, ref: filterField }}
              startAdornment={<Search size={16} strokeWidth={1.5} aria-hidden />}
              sx={{ width: { xs: '100%', sm: 320 }, pl: 1 }}
            />
            <Typography
              variant="caption"
              role="status"
              sx={{ color: 'text.secondary', '&:empty': { display: 'none' } }}
            >
              {wanted !== '' && texts.matches(shown.length, all.length)}
            </Typography>
          </Box>
          {shown.length > 0 && <DatasetTable datasets={shown} />}
          {shown.length === 0 && (
            <EmptyState
              title={texts.noMatch}
              subject="search"
              action={<Button onClick={() => setFilter('')}>{texts.clearFilter}</Button>}
            />
          )}
        </>
      )}
      {isCreating && <NewDatasetDialog onClose={() => setIsCreating(false)} />}
    </Box>
  );
};
