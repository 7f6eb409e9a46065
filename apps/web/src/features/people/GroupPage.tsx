import { PageHeader, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { useOwnRights } from '../../api/shared-queries.ts';
import { GroupGrants } from './GroupGrants.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { useGroup, useMemberships } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';

const route = getRouteApi('/groups/$groupId');

/** The page of one group: its members and the datasets that are granted to it. */
export const GroupPage = (): ReactElement => {
  const { groupId } = route.useParams();
  const { data: group, error, refetch } = useGroup(groupId);
  const memberships = useMemberships();
  const rights = useOwnRights();
  if (error !== null) {
    return (
      <LoadProblem
        error={error}
        absent={texts.noSuchGroup}
        absentHint={texts.noSuchGroupHint}
        failed={texts.groupFailed}
        onRetry={() => void refetch()}
      >
        <LinkButton to="/groups">{texts.openGroups}</LinkButton>
      </LoadProblem>
    );
  }
  if (group === undefined) return <TableSkeleton label={texts.loadingGroup} hasTitle />;
  const members = (memberships.data?.data ?? []).filter((one) => one.groupId === groupId);
  const isGroupAdmin = members.some((one) => one.userId === rights?.userId && one.role === 'admin');
  const mayChange = isGroupAdmin || rights?.has('manage-groups') === true;
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${group.name} · Redoubt`}</title>
      <PageHeader
        title={<bdi>{group.name}</bdi>}
        facts={
          <>
            {memberships.data !== undefined && `${texts.memberCount(members.length)} · `}
            <Link to="/groups">{texts.allGroups}</Link>
          </>
        }
      />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1fr 1fr' } }}>
        <GroupMembers group={group} members={members} mayChange={mayChange} />
        <GroupGrants groupId={groupId} isPrimary={!mayChange} />
      </Box>
    </Box>
  );
};
