import { ErrorState } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { useTabs } from './drafts/use-tabs.ts';
import type { SqlSchema } from './editor/complete-sql.ts';
import { useSqlDatasets } from './sql-datasets.ts';
import { queryOf } from './sql-text.ts';
import { useOpenFromAddress } from './use-open-from-address.ts';
import { Workbench } from './Workbench.tsx';

/** Write SQL over the datasets that the person may read, run it, and read the rows. */
export const SqlPage = (): ReactElement => {
  const { queryId } = useParams({ strict: false });
  const { dataset, tab, run } = useSearch({ strict: false });
  const navigate = useNavigate();
  const datasets = useSqlDatasets();

  const tabs = useTabs(tab, ({ id, saved }) => {
    if (saved === undefined) void navigate({ to: '/sql', search: { tab: id }, replace: true });
    else {
      const params = { queryId: saved.id };
      void navigate({ to: '/sql/$queryId', params, search: { tab: id }, replace: true });
    }
  });

  const schema = useMemo(
    (): SqlSchema => new Map((datasets.data ?? []).map(({ name, schema: fields }) => [name, fields])),
    [datasets.data],
  );
  const first = datasets.data?.find(({ id }) => id === dataset) ?? datasets.data?.[0];
  const missing = useOpenFromAddress({
    tabs,
    queryId,
    runId: run,
    isReady: datasets.data !== undefined,
    dataset: datasets.data?.find(({ id }) => id === dataset)?.name,
    sample: first === undefined ? 'SELECT 1 + 1 AS two' : queryOf(first.name),
  });

  if (datasets.error !== null) {
    return (
      <Box sx={{ p: 3 }}>
        <ErrorState
          title="Your datasets could not be loaded"
          {...describeError(datasets.error)}
          onRetry={() => void datasets.refetch()}
        />
      </Box>
    );
  }
  if (missing !== undefined) {
    return (
      <Box sx={{ p: 3 }}>
        <title>SQL · Redoubt</title>
        <ErrorState title="There is no such saved query" {...describeError(missing)} />
      </Box>
    );
  }
  if (tabs.active === undefined) return <Skeleton variant="rectangular" height={320} sx={{ m: 3 }} />;
  return <Workbench tabs={tabs} active={tabs.active} schema={schema} />;
};
