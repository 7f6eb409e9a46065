import { ErrorState, InlineError, PageHeader, SelectInput, TableSkeleton } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { AbsentPage } from '../../parts/AbsentPage.tsx';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { useOwnRights } from '../../api/shared-queries.ts';
import { DataTable } from '../../parts/DataTable.tsx';
import {
  nameOf,
  useAssignments,
  useAttributes,
  useGiveAttribute,
  useMemberships,
  useTakeAttribute,
  useUsers,
} from './people.ts';
import { RoleChange } from './RoleChange.tsx';
import { peopleText as texts } from '../../text/people.ts';
import { FilledText } from '../../parts/FilledText.tsx';

const route = getRouteApi('/people/$userId');

const HeldAttributes = ({ userId, name }: { userId: string; name: string }): ReactElement => {
  const rights = useOwnRights();
  const attributes = useAttributes();
  const assignments = useAssignments();
  const give = useGiveAttribute();
  const take = useTakeAttribute();
  const [chosen, setChosen] = useState('');
  const all = attributes.data?.data ?? [];
  const held = (assignments.data?.data ?? []).filter((one) => one.userId === userId);
  const free = all.filter(({ id }) => held.every(({ attributeId }) => attributeId !== id));
  const mayChange = rights?.has('manage-attributes') === true;
  const isSelf = rights?.userId === userId;
  const error = give.error ?? take.error;
  return (
    <Box component="section" sx={{ mb: 3 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.attributes}
      </Typography>
      {error !== null && <InlineError message={describeError(error).message} />}
      {held.length === 0 ? (
        <Typography sx={{ color: 'text.secondary', mb: 1 }}>
          {isSelf ? texts.noneHeldBySelf : texts.noneHeld}
        </Typography>
      ) : (
        <DataTable
          label={texts.attributes}
          headings={[texts.token, texts.name, '#']}
          rows={held.map(({ id, attributeId }) => {
            const attribute = all.find((one) => one.id === attributeId);
            const token = attribute?.token ?? '';
            return {
              key: id,
              cells: [
                <code key="token">{token}</code>,
                <bdi key="name">{attribute?.name}</bdi>,
                mayChange && (
                  <Button
                    key="take"
                    variant="text"
                    aria-label={texts.takeToken(token, name)}
                    onClick={() => take.mutate(id)}
                  >
                    {texts.take}
                  </Button>
                ),
              ],
            };
          })}
        />
      )}
      {mayChange && isSelf && (
        <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
          {texts.giveToSelfHint}
        </Typography>
      )}
      {mayChange && !isSelf && free.length > 0 && (
        <Box
          component="form"
          sx={{ display: 'flex', gap: 1, alignItems: 'flex-end', mt: 2, maxWidth: 480 }}
          onSubmit={(event) => {
            event.preventDefault();
            give.mutate({ attributeId: chosen, userIds: [userId] }, { onSuccess: () => setChosen('') });
          }}
        >
          <Box sx={{ flex: 1 }}>
            <SelectInput
              label={texts.attributeToGive}
              value={chosen}
              options={[
                { value: '', text: texts.choose },
                ...free.map(({ id, token }) => ({ value: id, text: token })),
              ]}
              onChange={setChosen}
            />
          </Box>
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={chosen === ''}
            loading={give.isPending}
            sx={{ mb: 2 }}
          >
            {texts.give}
          </Button>
        </Box>
      )}
    </Box>
  );
};

/** The page of one person: their attributes and groups, as far as those are visible to the viewer. */
export const UserPage = (): ReactElement => {
  const { userId } = route.useParams();
  const { data, error, refetch } = useUsers();
  const memberships = useMemberships();
  const rights = useOwnRights();
  if (error !== null && data === undefined) {
    return (
      <Box sx={{ p: { xs: 2, md: 3 } }}>
        <ErrorState title={texts.personFailed} {...describeError(error)} onRetry={() => void refetch()} />
      </Box>
    );
  }
  if (data === undefined) return <TableSkeleton label={texts.loadingPerson} hasTitle />;
  const user = data.data.find(({ id }) => id === userId);
  if (user === undefined) {
    return (
      <AbsentPage title={texts.noSuchPerson} hint={texts.noSuchPersonHint}>
        <LinkButton to="/people">{texts.openPeople}</LinkButton>
      </AbsentPage>
    );
  }
  const groups = (memberships.data?.data ?? []).filter((one) => one.userId === userId);
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{`${nameOf(user)} · Redoubt`}</title>
      <PageHeader
        title={<bdi>{nameOf(user)}</bdi>}
        facts={[user.email, user.role].filter((part) => part !== null).join(' · ')}
        actions={rights?.isAdmin === true && <RoleChange user={user} />}
      />
      <HeldAttributes userId={userId} name={nameOf(user)} />
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.groups}
      </Typography>
      {groups.length === 0 ? (
        <Typography sx={{ color: 'text.secondary' }}>
          <FilledText
            text={texts.inNoGroup}
            values={{ open: <Link to="/groups">{texts.openGroups}</Link> }}
          />
        </Typography>
      ) : (
        <DataTable
          label={texts.groups}
          headings={[texts.group, texts.role]}
          rows={groups.map(({ id, groupId, group, role }) => ({
            key: id,
            cells: [
              <Link key="group" to="/groups/$groupId" params={{ groupId }}>
                <bdi>{group?.name ?? groupId}</bdi>
              </Link>,
              role,
            ],
          }))}
        />
      )}
    </Box>
  );
};
