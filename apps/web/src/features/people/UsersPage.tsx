import { EmptyState, ErrorState, PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { UserPlus } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { useOwnRights } from '../../api/shared-queries.ts';
import { formatDay } from '../../parts/format-time.ts';
import { ListFacts } from '../../parts/ListFacts.tsx';
import { DataTable } from '../../parts/DataTable.tsx';
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
import { peopleText as texts } from '../../text/people.ts';

const OpenInvitations = (): ReactElement | null => {
  const { data } = useInvitations(true);
  const withdraw = useWithdrawInvitation();
  const open = (data?.data ?? []).filter(({ acceptedAt }) => acceptedAt === null);
  if (open.length === 0) return null;
  return (
    <Box component="section" sx={{ mt: 3 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.openInvitations}
      </Typography>
      <DataTable
        label={texts.openInvitations}
        headings={[texts.address, `~${texts.role}`, `~${texts.validUntil}`, '#']}
        rows={open.map(({ id, email, role, expiresAt }) => ({
          key: id,
          cells: [
            <bdi key="email">{email}</bdi>,
            role,
            formatDay(expiresAt),
            <Button
              key="withdraw"
              variant="text"
              aria-label={texts.withdrawInvitation(email)}
              onClick={() => withdraw.mutate(id)}
            >
              {texts.withdraw}
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
            title: texts.invitePerson,
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
      <title>{`${texts.people} · Redoubt`}</title>
      <PageHeader
        title={texts.people}
        facts={
          data !== undefined && <ListFacts text={texts.peopleFacts(data.total)} loadedAt={dataUpdatedAt} />
        }
        actions={
          mayInvite && (
            <Button variant="contained" color="primary" onClick={() => setIsInviting(true)}>
              {texts.invite}
            </Button>
          )
        }
      />
      {error !== null && (
        <ErrorState title={texts.peopleFailed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton label={texts.loadingPeople} />}
      {people.length > 0 && (
        <DataTable
          label={texts.people}
          headings={[texts.name, `~${texts.address}`, texts.role, texts.attributes]}
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
      {people.length === 1 && mayInvite && <EmptyState title={texts.onlyYou}>{texts.onlyYouHint}</EmptyState>}
      {mayInvite && <OpenInvitations />}
      {isInviting && <InviteDialog isAdmin={rights?.isAdmin === true} onClose={() => setIsInviting(false)} />}
    </Box>
  );
};
