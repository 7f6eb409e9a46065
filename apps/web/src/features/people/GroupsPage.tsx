import { EmptyState, ErrorState, formatNumber, PageHeader, TableSkeleton, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { ListFacts } from '../../parts/ListFacts.tsx';
import { DataTable } from '../../parts/DataTable.tsx';
import { FormDialog } from './FormDialog.tsx';
import { useCreateGroup, useGroups, useMemberships } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';

const NewGroupDialog = ({ onClose }: { onClose: () => void }): ReactElement => {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const create = useCreateGroup();
  return (
    <FormDialog
      title={texts.newGroup}
      submitText={texts.create}
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
        label={texts.name}
        required
        autoFocus
        value={name}
        hint={texts.newGroupHint}
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
    { id: 'groups.create', title: texts.newGroup, keys: 'c', icon: Plus, run: () => setIsCreating(true) },
  ]);
  const groups = data?.data ?? [];
  const parentsOf = (id: string) =>
    (memberships.data?.data ?? []).filter((one) => one.childGroupId === id && one.group !== undefined);
  const create = (
    <Button variant="contained" color="primary" onClick={() => setIsCreating(true)}>
      {texts.newGroup}
    </Button>
  );
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${texts.groups} · Redoubt`}</title>
      <PageHeader
        title={texts.groups}
        facts={
          data !== undefined && <ListFacts text={texts.groupFacts(groups.length)} loadedAt={dataUpdatedAt} />
        }
        actions={groups.length > 0 && create}
      />
      {error !== null && (
        <ErrorState title={texts.groupsFailed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton label={texts.loadingGroups} />}
      {data !== undefined && groups.length === 0 && (
        <EmptyState title={texts.noGroups} action={create}>
          {texts.noGroupsHint}
        </EmptyState>
      )}
      {groups.length > 0 && (
        <DataTable
          label={texts.groups}
          headings={[texts.name, `#${texts.members}`, `~${texts.partOf}`]}
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
