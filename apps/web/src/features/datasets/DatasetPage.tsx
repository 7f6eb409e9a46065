import type { Dataset } from '@redoubt/contract';
import { TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Braces, CloudDownload, FileUp, Terminal } from '@redoubt/ui/icons';
import type { ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { datasetsText } from '../../text/datasets.ts';
import { CodeTab } from './CodeTab.tsx';
import { useDataset } from '../../api/datasets-query.ts';
import { hasDocuments } from './documents/documents.ts';
import { DocumentsTab } from './documents/DocumentsTab.tsx';
import { FieldsTab } from './FieldsTab.tsx';
import { RecordsView } from './records/RecordsView.tsx';
import { parseRecordsSearch } from './records/records-search.ts';
import { SettingsTab } from './SettingsTab.tsx';

const route = getRouteApi('/datasets/$id');
const texts = datasetsText.one;

interface DatasetPageProps {
  /** Renders the tab that shows who has access. */
  renderAccess: (dataset: Dataset) => ReactElement;
}

/** The page of one dataset, with tabs for records, fields, code examples, access and settings. */
export const DatasetPage = ({ renderAccess }: DatasetPageProps): ReactElement => {
  const { id } = route.useParams();
  const { tab = 'records', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: dataset, error, refetch } = useDataset(id);
  const router = useRouter();
  const rights = dataset?.currentUserPermissions;
  usePageActions([
    ...(rights?.write === true
      ? [
          {
            id: 'dataset.import',
            title: datasetsText.importFiles,
            icon: FileUp,
            run: () => void router.navigate({ to: '/datasets/$id/import', params: { id } }),
          },
          {
            id: 'dataset.import-source',
            title: datasetsText.importFromSource,
            icon: CloudDownload,
            run: () => void router.navigate({ to: '/datasets/$id/import-source', params: { id } }),
          },
        ]
      : []),
    ...(rights?.read === true
      ? [
          {
            id: 'dataset.query',
            title: texts.querySql,
            icon: Terminal,
            run: () => void router.navigate({ to: '/sql', search: { dataset: id } }),
          },
          {
            id: 'dataset.code',
            title: texts.tabs.code,
            icon: Braces,
            run: () => void navigate({ search: { tab: 'code' } }),
          },
        ]
      : []),
  ]);
  if (error !== null) {
    return (
      <LoadProblem
        error={error}
        absent={texts.absent}
        absentHint={texts.absentHint}
        failed={texts.failed}
        onRetry={() => void refetch()}
      >
        <LinkButton to="/datasets">{texts.openDatasets}</LinkButton>
      </LoadProblem>
    );
  }
  if (dataset === undefined) return <TableSkeleton label={texts.loading} hasTitle rows={16} />;
  const fields = Object.keys(dataset.schema).length;
  const may = dataset.currentUserPermissions;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <title>{`${dataset.name} · Redoubt`}</title>
      <Box
        sx={{
          display: 'flex',
          flexDirection: { xs: 'column', sm: 'row' },
          alignItems: { sm: 'center' },
          columnGap: 2,
          rowGap: 1,
          px: { xs: 2, md: 3 },
          pt: 1,
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography
            variant="h1"
            sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: { sm: 'nowrap' } }}
          >
            <bdi>{dataset.name}</bdi>
          </Typography>
          <Typography
            variant="caption"
            component="p"
            sx={{
              color: 'text.secondary',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {texts.facts(dataset.recordCount, fields)}
            {dataset.description !== '' && (
              <>
                {' · '}
                <bdi>{dataset.description}</bdi>
              </>
            )}
          </Typography>
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: 'none' }}>
          {may.write && (
            <>
              <LinkButton to="/datasets/$id/import" params={{ id }}>
                {datasetsText.importFiles}
              </LinkButton>
              <LinkButton to="/datasets/$id/import-source" params={{ id }}>
                {datasetsText.importFromSource}
              </LinkButton>
            </>
          )}
          {may.read && (
            <LinkButton to="/sql" search={{ dataset: id }}>
              {texts.querySql}
            </LinkButton>
          )}
        </Box>
      </Box>
      <Tabs
        value={tab}
        aria-label={texts.parts}
        variant="scrollable"
        scrollButtons={false}
        onChange={(_event, next: typeof tab) => void navigate({ search: { tab: next } })}
        sx={{ px: { xs: 0.5, md: 1.5 }, borderBottom: 1, borderColor: 'divider' }}
      >
        <Tab value="records" label={texts.tabs.records} />
        {hasDocuments(dataset) && <Tab value="documents" label={texts.tabs.documents} />}
        <Tab value="fields" label={texts.tabs.fields} />
        <Tab value="code" label={texts.tabs.code} />
        <Tab value="access" label={texts.tabs.access} />
        {may.manage && <Tab value="settings" label={texts.tabs.settings} />}
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
        {tab === 'documents' && hasDocuments(dataset) && (
          <DocumentsTab
            key={search.q ?? ''}
            dataset={dataset}
            q={search.q ?? ''}
            onSearch={(q) => void navigate({ search: { tab: 'documents', ...(q !== '' && { q }) } })}
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
