import type { Dataset } from '@redoubt/contract';
import { EmptyState, ErrorState, formatNumber } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { describeError, isError } from '../../api/client.ts';
import { CodeTab } from './CodeTab.tsx';
import { useDataset } from './datasets.ts';
import { FieldsTab } from './FieldsTab.tsx';
import { RecordsView } from './records/RecordsView.tsx';
import { parseRecordsSearch } from './records/records-search.ts';
import { SettingsTab } from './SettingsTab.tsx';

const route = getRouteApi('/datasets/$id');

interface DatasetPageProps {
  /** What shows who has access. */
  renderAccess: (dataset: Dataset) => ReactElement;
}

/** One dataset: its records, fields, how to read it in code, who has access, and its settings. */
export const DatasetPage = ({ renderAccess }: DatasetPageProps): ReactElement => {
  const { id } = route.useParams();
  const { tab = 'records', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: dataset, error, refetch } = useDataset(id);
  if (error !== null && isError(error, 'NotFoundError')) {
    return (
      <EmptyState title="There is no such dataset">
        It was deleted, or it was not shared with you. <Link to="/datasets">Open your datasets</Link>.
      </EmptyState>
    );
  }
  if (error !== null) {
    return (
      <Box sx={{ p: 3 }}>
        <ErrorState
          title="The dataset could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      </Box>
    );
  }
  if (dataset === undefined) return <Skeleton variant="rectangular" height={320} sx={{ m: 3 }} />;
  const fields = Object.keys(dataset.schema).length;
  const may = dataset.currentUserPermissions;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <title>{`${dataset.name} · Redoubt`}</title>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: { xs: 2, md: 3 }, pt: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h1" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            <bdi>{dataset.name}</bdi>
          </Typography>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {formatNumber(dataset.recordCount)} records that you see · {formatNumber(fields)} fields
            {dataset.description !== '' && (
              <>
                {' · '}
                <bdi>{dataset.description}</bdi>
              </>
            )}
          </Typography>
        </Box>
        {may.write && (
          <LinkButton to="/datasets/$id/import" params={{ id }}>
            Import files
          </LinkButton>
        )}
        {may.read && (
          <LinkButton to="/sql" search={{ dataset: id }}>
            Query in SQL
          </LinkButton>
        )}
      </Box>
      <Tabs
        value={tab}
        aria-label="Parts of the dataset"
        variant="scrollable"
        scrollButtons={false}
        onChange={(_event, next: typeof tab) => void navigate({ search: { tab: next } })}
        sx={{ px: { xs: 1, md: 2 }, borderBottom: 1, borderColor: 'divider' }}
      >
        <Tab value="records" label="Records" />
        <Tab value="fields" label="Fields" />
        <Tab value="code" label="Use in code" />
        <Tab value="access" label="Who has access" />
        {may.manage && <Tab value="settings" label="Settings" />}
      </Tabs>
      <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto' }}>
        {tab === 'records' && (
          <RecordsView
            key={dataset.id}
            dataset={dataset}
            search={search}
            onSearch={(next, options) => void navigate({ search: parseRecordsSearch(next), ...options })}
          />
        )}
        {tab === 'fields' && <FieldsTab dataset={dataset} />}
        {tab === 'code' && <CodeTab dataset={dataset} />}
        {tab === 'access' && renderAccess(dataset)}
        {tab === 'settings' && may.manage && <SettingsTab dataset={dataset} />}
      </Box>
    </Box>
  );
};
