import {
  EmptyState,
  ErrorState,
  formatNumber,
  InlineError,
  PageHeader,
  SelectInput,
  TableSkeleton,
  TextInput,
} from '@redoubt/ui';
import type { Attribute } from '@redoubt/contract';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from '@redoubt/ui/icons';
import { useState, type ReactElement } from 'react';
import { usePageActions } from '../../actions/page-actions.ts';
import { describeError } from '../../api/client.ts';
import { useOwnRights } from '../../api/shared-queries.ts';
import { ListFacts } from '../../parts/ListFacts.tsx';
import { DataTable } from '../../parts/DataTable.tsx';
import { DeleteDialog } from '../../parts/DeleteDialog.tsx';
import { FormDialog } from './FormDialog.tsx';
import { membersOf } from './members-of.ts';
import {
  nameOf,
  useAssignments,
  useAttributes,
  useCreateAttribute,
  useDeleteAttribute,
  useGiveAttribute,
  useGroups,
  useMemberships,
  useUsers,
} from './people.ts';
import { peopleText as texts } from '../../text/people.ts';

const NewAttributeDialog = ({ onClose }: { onClose: () => void }): ReactElement => {
  const [token, setToken] = useState('');
  const [name, setName] = useState('');
  const create = useCreateAttribute();
  return (
    <FormDialog
      title={texts.newAttribute}
      submitText={texts.create}
      isPending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(
          { token: token.trim(), name: name.trim() === '' ? token.trim() : name.trim(), description: '' },
          { onSuccess: onClose },
        )
      }
    >
      <TextInput
        label={texts.token}
        required
        autoFocus
        value={token}
        hint={texts.tokenHint}
        onChange={(event) => setToken(event.target.value)}
      />
      <TextInput label={texts.optionalName} value={name} onChange={(event) => setName(event.target.value)} />
    </FormDialog>
  );
};

/** A dialog that gives an attribute to a person, or to all current members of a group. */
const GiveDialog = ({ attribute, onClose }: { attribute: Attribute; onClose: () => void }): ReactElement => {
  const rights = useOwnRights();
  const users = useUsers();
  const groups = useGroups();
  const memberships = useMemberships();
  const give = useGiveAttribute();
  const [target, setTarget] = useState('');
  const people = (users.data?.data ?? []).filter(({ id }) => id !== rights?.userId);
  const [kind, id = ''] = target.split(' ');
  const userIds = (
    kind === 'group' ? [...membersOf(id, memberships.data?.data ?? [])] : id === '' ? [] : [id]
  ).filter((userId) => userId !== rights?.userId);
  return (
    <FormDialog
      title={texts.giveToken(attribute.token)}
      submitText={texts.give}
      isPending={give.isPending}
      isDisabled={userIds.length === 0}
      error={give.error}
      onClose={onClose}
      onSubmit={() => give.mutate({ attributeId: attribute.id, userIds }, { onSuccess: onClose })}
    >
      <SelectInput
        label={texts.giveTo}
        value={target}
        options={[
          { value: '', text: texts.choosePersonOrGroup },
          ...people.map((user) => ({ value: `user ${user.id}`, text: nameOf(user) })),
          ...(groups.data?.data ?? []).map((group) => ({
            value: `group ${group.id}`,
            text: texts.allIn(group.name),
          })),
        ]}
        onChange={setTarget}
      />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {kind === 'group' ? texts.givenToPresentMembers(formatNumber(userIds.length)) : texts.givenToPerson}
      </Typography>
    </FormDialog>
  );
};

/** The attributes that are visible to the person: their own, or all for people who manage attributes. */
export const AttributesPage = (): ReactElement => {
  const { data, dataUpdatedAt, error, refetch } = useAttributes();
  const assignments = useAssignments();
  const rights = useOwnRights();
  const [isCreating, setIsCreating] = useState(false);
  const [given, setGiven] = useState<Attribute>();
  const [deleted, setDeleted] = useState<Attribute>();
  const remove = useDeleteAttribute();
  const mayManage = rights?.has('manage-attributes') === true;
  usePageActions(
    mayManage
      ? [
          {
            id: 'attributes.create',
            title: texts.newAttribute,
            keys: 'c',
            icon: Plus,
            run: () => setIsCreating(true),
          },
        ]
      : [],
  );
  const all = data?.data ?? [];
  const create = (
    <Button variant="contained" color="primary" onClick={() => setIsCreating(true)}>
      {texts.newAttribute}
    </Button>
  );
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${texts.attributes} · Redoubt`}</title>
      <PageHeader
        title={texts.attributes}
        facts={
          data !== undefined && (
            <ListFacts
              text={mayManage ? texts.managedFacts(all.length) : texts.heldFacts(all.length)}
              loadedAt={dataUpdatedAt}
            />
          )
        }
        actions={mayManage && all.length > 0 && create}
      />
      {error !== null && (
        <ErrorState title={texts.attributesFailed} {...describeError(error)} onRetry={() => void refetch()} />
      )}
      {remove.error !== null && <InlineError message={describeError(remove.error).message} />}
      {data === undefined && error === null && <TableSkeleton label={texts.loadingAttributes} />}
      {data !== undefined && all.length === 0 && (
        <EmptyState
          title={mayManage ? texts.noAttributes : texts.holdNoAttribute}
          action={mayManage && create}
        >
          {mayManage ? texts.noAttributesHint : texts.holdNoAttributeHint}
        </EmptyState>
      )}
      {all.length > 0 && (
        <DataTable
          label={texts.attributes}
          headings={
            mayManage ? [texts.token, `~${texts.name}`, `#${texts.holders}`, '# '] : [texts.token, texts.name]
          }
          rows={all.map((attribute) => ({
            key: attribute.id,
            cells: [
              <code key="token">{attribute.token}</code>,
              <bdi key="name">{attribute.name}</bdi>,
              ...(mayManage
                ? [
                    formatNumber(
                      (assignments.data?.data ?? []).filter((one) => one.attributeId === attribute.id).length,
                    ),
                    <Box key="actions" sx={{ whiteSpace: 'nowrap' }}>
                      <Button
                        variant="text"
                        aria-label={texts.giveToken(attribute.token)}
                        onClick={() => setGiven(attribute)}
                      >
                        {texts.give}
                      </Button>
                      <Button
                        variant="text"
                        aria-label={texts.deleteToken(attribute.token)}
                        onClick={() => setDeleted(attribute)}
                      >
                        {texts.delete}
                      </Button>
                    </Box>,
                  ]
                : []),
            ],
          }))}
        />
      )}
      {deleted !== undefined && (
        <DeleteDialog
          title={texts.deleteAttribute(deleted.token)}
          hint={texts.deleteAttributeHint}
          texts={texts}
          isPending={remove.isPending}
          onDelete={() => remove.mutate(deleted.id, { onSettled: () => setDeleted(undefined) })}
          onClose={() => setDeleted(undefined)}
        />
      )}
      {isCreating && <NewAttributeDialog onClose={() => setIsCreating(false)} />}
      {given !== undefined && <GiveDialog attribute={given} onClose={() => setGiven(undefined)} />}
    </Box>
  );
};
