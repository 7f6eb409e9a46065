import { EmptyState, formatNumber, PageHeader, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { DataTable } from './DataTable.tsx';
import { FormDialog } from './FormDialog.tsx';
import { useCreateGroup, useGroups, useMemberships } from './people.ts';

const NewGroupDialog = ({ onClose }: { onClose: () => void }): ReactElement => {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const create = useCreateGroup();
  return (
    <FormDialog
      title="New group"
      submitText="Create"
      isPending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(name.trim(), {
          onSuccess: ({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
        })
      }
    >
      <TextInput
        label="Name"
        required
        autoFocus
        value={name}
        hint="You become its first member and its admin."
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
};

/** The groups that the person may see. Datasets are granted to groups. */
export const GroupsPage = (): ReactElement => {
  const { data } = useGroups();
  const memberships = useMemberships();
  const [isCreating, setIsCreating] = useState(false);
  const groups = data?.data ?? [];
  const parentsOf = (id: string) =>
    (memberships.data?.data ?? []).filter((one) => one.childGroupId === id && one.group !== undefined);
  const create = (
    <Button variant="contained" color="primary" onClick={() => setIsCreating(true)}>
      New group
    </Button>
  );
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>Groups · Redoubt</title>
      <PageHeader
        title="Groups"
        facts={
          data !== undefined && `${formatNumber(groups.length)} that you see. Datasets are granted to groups.`
        }
        actions={groups.length > 0 && create}
      />
      {data === undefined && <Skeleton variant="rectangular" height={240} />}
      {data !== undefined && groups.length === 0 && (
        <EmptyState title="No groups yet" action={create}>
          A group holds people and other groups. Grant it a dataset, and all who are in it may use the
          dataset.
        </EmptyState>
      )}
      {groups.length > 0 && (
        <DataTable
          label="Groups"
          headings={['Name', '#Members', 'Part of']}
          rows={groups.map(({ id, name, memberCount }) => ({
            key: id,
            cells: [
              <Link key="name" to="/groups/$groupId" params={{ groupId: id }}>
                <bdi>{name}</bdi>
              </Link>,
              formatNumber(memberCount),
              <bdi key="parents">
                {parentsOf(id)
                  .map(({ group }) => group?.name)
                  .join(', ') || '–'}
              </bdi>,
            ],
          }))}
        />
      )}
      {isCreating && <NewGroupDialog onClose={() => setIsCreating(false)} />}
    </Box>
  );
};
