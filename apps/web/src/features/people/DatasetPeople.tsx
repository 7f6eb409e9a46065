import type { Dataset, DatasetPermission, Group, GroupMembership } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeActions, peopleWithAccess } from './dataset-access.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import { nameOf, useUsers } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';

interface DatasetPeopleProps {
  dataset: Dataset;
  permissions: readonly DatasetPermission[];
  groups: readonly Group[];
  memberships: readonly GroupMembership[];
}

/** The people with rights on a dataset, as far as their groups are visible to the person. */
export const DatasetPeople = ({
  dataset,
  permissions,
  groups,
  memberships,
}: DatasetPeopleProps): ReactElement => {
  const { data: users } = useUsers();
  const through = peopleWithAccess(permissions, memberships);
  const people = (users?.data ?? []).flatMap((user) => {
    const access = through.find(({ userId }) => userId === user.id);
    const isOwner = user.id === dataset.userId;
    // The role is null for viewers who do not manage users.
    const isAdmin = user.role === 'admin';
    if (access === undefined && !isOwner && !isAdmin) return [];
    const reasons = [
      ...(isOwner ? ['as its owner'] : []),
      ...(isAdmin ? ['as an admin'] : []),
      ...groups.filter(({ id }) => access?.groupIds.has(id)).map(({ name }) => name),
    ];
    const may = isOwner || isAdmin ? 'manage' : describeActions(access?.actions ?? new Set());
    return [{ user, may, reasons }];
  });
  return (
    <Box component="section">
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.people}
      </Typography>
      {people.length > 0 && (
        <DataTable
          label={texts.peopleWithAccess}
          headings={[texts.name, texts.may, texts.through]}
          rows={people.map(({ user, may, reasons }) => ({
            key: user.id,
            cells: [
              <Link key="name" to="/people/$userId" params={{ userId: user.id }}>
                <bdi>{nameOf(user)}</bdi>
              </Link>,
              may,
              <bdi key="reasons">{reasons.join(', ')}</bdi>,
            ],
          }))}
        />
      )}
      <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
        {texts.peopleWithAccessHint}
      </Typography>
    </Box>
  );
};
