import { ErrorState, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { describeError, isError } from '../../api/client.ts';
import { AbsentPage } from '../../parts/AbsentPage.tsx';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { useTabs } from './drafts/use-tabs.ts';
import { queryOf, type SqlSchema } from './editor/complete-sql.ts';
import { useSqlDatasets } from './sql-datasets.ts';
import { useOpenFromAddress } from './use-open-from-address.ts';
import { Workbench } from './Workbench.tsx';
import { sqlText as texts } from '../../text/sql.ts';

/** The page where people write SQL, run it and read the rows. */
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
          title={texts.datasetsFailed}
          {...describeError(datasets.error)}
          onRetry={() => void datasets.refetch()}
        />
      </Box>
    );
  }
  if (missing !== undefined) {
    return isError(missing, 'NotFoundError') ? (
      <AbsentPage title={texts.absent} hint={texts.absentHint}>
        <LinkButton to="/sql">{texts.openSql}</LinkButton>
      </AbsentPage>
    ) : (
      <Box sx={{ p: { xs: 2, md: 3 } }}>
        <title>{texts.pageTitle}</title>
        <ErrorState title={texts.savedQueryFailed} {...describeError(missing)} />
      </Box>
    );
  }
  if (tabs.active === undefined) return <TableSkeleton label={texts.openingWorkbench} hasTitle rows={14} />;
  return <Workbench tabs={tabs} active={tabs.active} schema={schema} />;
};
