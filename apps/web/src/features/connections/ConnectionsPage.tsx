import type { Connection } from '@redoubt/contract';
import { EmptyState, ErrorState, PageHeader, StateChip, tableSx, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { Link, useRouter } from '@tanstack/react-router';
import { Check, CircleDashed, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { formatDay } from '../../parts/format-time.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { kindOf } from '../../parts/sources/source-kinds.ts';
import { connectionsText as texts } from '../../text/connections.ts';
import { sourcesText } from '../../text/sources.ts';
import { targetText } from '../../parts/sources/stored-connection.ts';
import { useConnections } from './connections.ts';

const icon = { size: 12, strokeWidth: 2, 'aria-hidden': true } as const;
const wideOnly = { display: { xs: 'none', md: 'table-cell' } } as const;

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
        facts={data !== undefined && texts.facts(connections.length)}
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
        <Box sx={{ overflowX: 'auto', ...tableSx }} tabIndex={0} role="region" aria-label={texts.connections}>
          <Table size="small" aria-label={texts.connections}>
            <TableHead>
              <TableRow>
                <TableCell>{texts.name}</TableCell>
                <TableCell sx={wideOnly}>{texts.kind}</TableCell>
                <TableCell sx={wideOnly}>{texts.target}</TableCell>
                <TableCell>{texts.tested}</TableCell>
                <TableCell sx={wideOnly}>{texts.rights}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {connections.map((connection) => (
                <TableRow key={connection.id} hover>
                  <TableCell>
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
                  </TableCell>
                  <TableCell sx={wideOnly}>{kindText(connection)}</TableCell>
                  <TableCell sx={{ ...wideOnly, overflowWrap: 'anywhere' }}>
                    <bdi>{targetText(connection.target)}</bdi>
                  </TableCell>
                  <TableCell>
                    <TestState testedAt={connection.testedAt} />
                  </TableCell>
                  <TableCell sx={wideOnly}>
                    {connection.currentUserPermissions.manage ? texts.manage : texts.use}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Box>
  );
};
