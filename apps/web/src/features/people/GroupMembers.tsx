import type { Group, GroupMembership } from '@redoubt/contract';
import { InlineError } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, describeError } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { ChooseForm } from './ChooseForm.tsx';
import { DataTable } from '../../parts/DataTable.tsx';
import { nameOf, useAddMember, useRemoveMember, useUsers } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';
import { FilledText } from '../../parts/FilledText.tsx';

interface GroupMembersProps {
  group: Group;
  members: readonly GroupMembership[];
  mayChange: boolean;
}

const memberName = ({ user, subGroup }: GroupMembership): string =>
  user ? nameOf(user) : (subGroup?.name ?? 'a group that you do not see');

/** The direct members of a group: people and groups. */
export const GroupMembers = ({ group, members, mayChange }: GroupMembersProps): ReactElement => {
  const users = useUsers();
  const groups = useQuery({
    queryKey: [...keys.groups, group.id, 'possible-children'],
    enabled: mayChange,
    queryFn: () => api.listGroups({ query: { validSubGroups: group.id, $limit: -1, $sort: { name: 1 } } }),
  });
  const add = useAddMember(group.id);
  const remove = useRemoveMember();
  const error = add.error ?? remove.error;
  const has = (id: string): boolean =>
    members.some(({ userId, childGroupId }) => userId === id || childGroupId === id);
  const options = [
    ...(users.data?.data ?? [])
      .filter(({ id }) => !has(id))
      .map((user) => ({ value: `user ${user.id}`, text: nameOf(user) })),
    ...(groups.data?.data ?? [])
      .filter(({ id }) => !has(id) && id !== group.id)
      .map(({ id, name }) => ({ value: `group ${id}`, text: texts.allIn(name) })),
  ];
  return (
    <Box component="section">
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.members}
      </Typography>
      {error !== null && <InlineError message={describeError(error).message} />}
      {mayChange && options.length > 0 && (
        <ChooseForm
          label={texts.memberToAdd}
          options={options}
          submitText={texts.add}
          isPrimary
          isPending={add.isPending}
          onChoose={(value) => {
            const [kind, id = ''] = value.split(' ');
            add.mutate(kind === 'group' ? { childGroupId: id } : { userId: id });
          }}
        />
      )}
      <DataTable
        label={texts.members}
        headings={[texts.member, texts.role, '#']}
        rows={members.map((membership) => {
          const { id, userId, childGroupId, role, subGroup } = membership;
          const name = memberName(membership);
          return {
            key: id,
            cells: [
              userId !== null ? (
                <Link key="member" to="/people/$userId" params={{ userId }}>
                  <bdi>{name}</bdi>
                </Link>
              ) : subGroup === undefined || subGroup === null ? (
                name
              ) : (
                <Link key="member" to="/groups/$groupId" params={{ groupId: childGroupId ?? '' }}>
                  <FilledText text={texts.allInGroup} values={{ name: <bdi>{name}</bdi> }} />
                </Link>
              ),
              role,
              mayChange && (
                <Button
                  key="remove"
                  variant="text"
                  aria-label={texts.remove(name)}
                  onClick={() => remove.mutate(id)}
                >
                  {texts.removeButton}
                </Button>
              ),
            ],
          };
        })}
      />
    </Box>
  );
};
