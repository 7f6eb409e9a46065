import { EmptyState, PageHeader } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useOwnRights } from '../../api/shared-queries.ts';
import { GroupGrants } from './GroupGrants.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { useGroup, useMemberships } from './people.ts';

const route = getRouteApi('/groups/$groupId');

/** One group: who is in it, and what it may do with datasets. */
export const GroupPage = (): ReactElement => {
  const { groupId } = route.useParams();
  const { data: group, error } = useGroup(groupId);
  const memberships = useMemberships();
  const rights = useOwnRights();
  if (error !== null) {
    return (
      <EmptyState title="There is no such group">
        It was deleted, or you are not in it. <Link to="/groups">Open the groups</Link>.
      </EmptyState>
    );
  }
  if (group === undefined) return <Skeleton variant="rectangular" height={240} sx={{ m: 3 }} />;
  const members = (memberships.data?.data ?? []).filter((one) => one.groupId === groupId);
  const isGroupAdmin = members.some((one) => one.userId === rights?.userId && one.role === 'admin');
  const mayChange = isGroupAdmin || rights?.has('manage-groups') === true;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${group.name} · Redoubt`}</title>
      <PageHeader title={<bdi>{group.name}</bdi>} facts={<Link to="/groups">All groups</Link>} />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1fr 1fr' } }}>
        <GroupMembers group={group} members={members} mayChange={mayChange} />
        <GroupGrants groupId={groupId} />
      </Box>
    </Box>
  );
};
