import { EmptyState, ErrorState, formatNumber, PageHeader, TableSkeleton, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { ListFacts } from '../../parts/ListFacts.tsx';
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

/** The groups that are visible to the person. */
export const GroupsPage = (): ReactElement => {
  const { data, dataUpdatedAt, error, refetch } = useGroups();
  const memberships = useMemberships();
  const [isCreating, setIsCreating] = useState(false);
  usePageActions([
    { id: 'groups.create', title: 'New group', keys: 'c', icon: Plus, run: () => setIsCreating(true) },
  ]);
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
          data !== undefined && (
            <ListFacts
              text={`${formatNumber(groups.length)} that you see. Datasets are granted to groups`}
              loadedAt={dataUpdatedAt}
            />
          )
        }
        actions={groups.length > 0 && create}
      />
      {error !== null && (
        <ErrorState
          title="The groups could not be loaded"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && <TableSkeleton label="Loading the groups" />}
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
