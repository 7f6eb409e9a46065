import type { Connection } from '@redoubt/contract';
import { EmptyState, ErrorState, PageHeader, StateChip, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link, useRouter } from '@tanstack/react-router';
import { Check, CircleDashed, Plus } from '@redoubt/ui/icons';
import { Fragment, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { formatDay } from '../../parts/format-time.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { kindOf } from '../../parts/sources/source-kinds.ts';
import { connectionsText as texts } from '../../text/connections.ts';
import { sourcesText } from '../../text/sources.ts';
import { targetText } from '../../parts/sources/stored-connection.ts';
import { useConnections } from './connections.ts';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;

/** Whether a connection was tested with what is stored now. */
export const TestState = ({ testedAt }: Pick<Connection, 'testedAt'>): ReactElement =>
  testedAt === null ? (
    <StateChip tone="warning" icon={<CircleDashed {...icon} />}>
      {texts.untested}
    </StateChip>
  ) : (
    <StateChip tone="success" icon={<Check {...icon} />}>
      {texts.testedAt(formatDay(testedAt))}
    </StateChip>
  );

/** The kind of a connection, as people call it. */
export const kindText = (connection: Connection): string => {
  const kind = kindOf(connection);
  return kind === undefined ? connection.type : sourcesText.kinds[kind];
};

/** The stored connections that the person may use or manage. */
export const ConnectionsPage = (): ReactElement => {
  const { data, error, refetch } = useConnections();
  const router = useRouter();
  usePageActions([
    {
      id: 'connections.create',
      title: texts.newConnection,
      keys: 'c',
      icon: Plus,
      run: () => void router.navigate({ to: '/connections/new' }),
    },
  ]);
  const connections = data?.data ?? [];
  const create = (
    <LinkButton to="/connections/new" variant="contained" color="primary">
      {texts.newConnection}
    </LinkButton>
  );
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader
        title={texts.connections}
        facts={connections.length > 0 && texts.facts(connections.length)}
        actions={connections.length > 0 && create}
      />
      {error !== null && (
        <ErrorState title={texts.failed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton label={texts.loading} />}
      {data !== undefined && connections.length === 0 && (
        <EmptyState title={texts.none} action={create}>
          {texts.noneHint}
        </EmptyState>
      )}
      {connections.length > 0 && (
        <DataTable
          label={texts.connections}
          shownFrom="md"
          headings={[texts.name, `~${texts.kind}`, `~${texts.target}`, texts.tested, `~${texts.rights}`]}
          rows={connections.map((connection) => ({
            key: connection.id,
            cells: [
              <Fragment key="name">
                <Link to="/connections/$connectionId" params={{ connectionId: connection.id }}>
                  <bdi>{connection.name}</bdi>
                </Link>
                <Typography
                  variant="caption"
                  component="p"
                  sx={{ display: { md: 'none' }, color: 'text.secondary' }}
                >
                  {kindText(connection)}
                </Typography>
              </Fragment>,
              kindText(connection),
              <Box key="target" component="bdi" sx={{ overflowWrap: 'anywhere' }}>
                {targetText(connection.target)}
              </Box>,
              <TestState key="tested" testedAt={connection.testedAt} />,
              connection.currentUserPermissions.manage ? texts.manage : texts.use,
            ],
          }))}
        />
      )}
    </Box>
  );
};
