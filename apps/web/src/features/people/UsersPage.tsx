import { EmptyState, ErrorState, formatNumber, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { useOwnRights } from '../../api/shared-queries.ts';
import { formatDay } from '../../parts/format-time.ts';
import { ListFacts } from '../../parts/ListFacts.tsx';
import { DataTable } from './DataTable.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import {
  nameOf,
  useAssignments,
  useAttributes,
  useInvitations,
  useUsers,
  useWithdrawInvitation,
} from './people.ts';
import { TokenList } from './TokenList.tsx';

const OpenInvitations = (): ReactElement | null => {
  const { data } = useInvitations(true);
  const withdraw = useWithdrawInvitation();
  const open = (data?.data ?? []).filter(({ acceptedAt }) => acceptedAt === null);
  if (open.length === 0) return null;
  return (
    <Box component="section" sx={{ mt: 3 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        Open invitations
      </Typography>
      <DataTable
        label="Open invitations"
        headings={['Address', '~Role', '~Valid until', '#']}
        rows={open.map(({ id, email, role, expiresAt }) => ({
          key: id,
          cells: [
            <bdi key="email">{email}</bdi>,
            role,
            formatDay(expiresAt),
            <Button
              key="withdraw"
              variant="text"
              aria-label={`Withdraw the invitation of ${email}`}
              onClick={() => withdraw.mutate(id)}
            >
              Withdraw
            </Button>,
          ],
        }))}
      />
    </Box>
  );
};

/**
 * The people of the workspace with their attributes, as far as those are visible to the viewer, and open
 * invitations.
 */
export const UsersPage = (): ReactElement => {
  const { data, dataUpdatedAt, error, refetch } = useUsers();
  const rights = useOwnRights();
  const attributes = useAttributes();
  const assignments = useAssignments();
  const [isInviting, setIsInviting] = useState(false);
  const mayInvite = rights?.has('manage-users') === true;
  usePageActions(
    mayInvite
      ? [
          {
            id: 'people.invite',
            title: 'Invite a person',
            keys: 'c',
            icon: UserPlus,
            run: () => setIsInviting(true),
          },
        ]
      : [],
  );
  const tokens = new Map(attributes.data?.data.map(({ id, token }) => [id, token]));
  const tokensOf = (userId: string): string[] =>
    (assignments.data?.data ?? [])
      .filter((one) => one.userId === userId)
      .map(({ attributeId }) => tokens.get(attributeId) ?? '')
      .toSorted();
  const people = data?.data ?? [];
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>People · Redoubt</title>
      <PageHeader
        title="People"
        facts={
          data !== undefined && (
            <ListFacts text={`${formatNumber(data.total)} in this workspace`} loadedAt={dataUpdatedAt} />
          )
        }
        actions={
          mayInvite && (
            <Button variant="contained" color="primary" onClick={() => setIsInviting(true)}>
              Invite
            </Button>
          )
        }
      />
      {error !== null && (
        <ErrorState
          title="The people could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <TableSkeleton label="Loading the people" />}
      {people.length > 0 && (
        <DataTable
          label="People"
          headings={['Name', '~Address', 'Role', 'Attributes']}
          rows={people.map((user) => ({
            key: user.id,
            cells: [
              <Link key="name" to="/people/$userId" params={{ userId: user.id }}>
                <bdi>{nameOf(user)}</bdi>
              </Link>,
              <bdi key="email">{user.email ?? '–'}</bdi>,
              `${user.role ?? '–'}${user.disabled === true ? ', locked out' : ''}`,
              <TokenList key="tokens" tokens={tokensOf(user.id)} />,
            ],
          }))}
        />
      )}
      {people.length === 1 && mayInvite && (
        <EmptyState title="Only you so far">
          Invite a second person: nobody can give an attribute to themselves, so it takes two to see records
          with labels.
        </EmptyState>
      )}
      {mayInvite && <OpenInvitations />}
      {isInviting && <InviteDialog isAdmin={rights?.isAdmin === true} onClose={() => setIsInviting(false)} />}
    </Box>
  );
};
