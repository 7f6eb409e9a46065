import type { Dataset, DatasetPermission, Group } from '@redoubt/contract';
import { ErrorState, InlineError } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { DatasetGrantForm } from './DatasetGrantForm.tsx';
import { DatasetPeople } from './DatasetPeople.tsx';
import { DataTable } from '../../parts/DataTable.tsx';
import {
  useDatasetPermissions,
  useGrantDataset,
  useGroups,
  useMemberships,
  useWithdrawGrant,
} from './people.ts';
import { peopleText as texts } from '../../text/people.ts';
import { FilledText } from '../../parts/FilledText.tsx';

/** The name of a group, or a general text for a group that is hidden from the person. */
const GroupName = ({ group }: { group: Group | undefined }): ReactElement =>
  group === undefined ? (
    <>{texts.hiddenGroup}</>
  ) : (
    <Link to="/groups/$groupId" params={{ groupId: group.id }}>
      <bdi>{group.name}</bdi>
    </Link>
  );

const GrantForm = ({ datasetId, groups }: { datasetId: string; groups: readonly Group[] }): ReactElement => {
  const grant = useGrantDataset(datasetId);
  if (groups.length === 0) {
    return (
      <Typography sx={{ mt: 2 }}>
        <FilledText
          text={texts.noGroupToGrant}
          values={{ create: <Link to="/groups">{texts.createOne}</Link> }}
        />
      </Typography>
    );
  }
  return (
    <Box sx={{ maxWidth: 560, mt: 2 }}>
      <DatasetGrantForm
        label={texts.groupToGrant}
        options={groups.map(({ id, name }) => ({ value: id, text: name }))}
        isPrimary
        isPending={grant.isPending}
        onGrant={(groupId, action) => grant.mutate({ groupId, action })}
      />
      {grant.error !== null && <InlineError message={describeError(grant.error).message} />}
    </Box>
  );
};

interface GrantListProps {
  permissions: readonly DatasetPermission[];
  groups: readonly Group[];
  mayManage: boolean;
}

const GrantList = ({ permissions, groups, mayManage }: GrantListProps): ReactElement => {
  const withdraw = useWithdrawGrant();
  if (permissions.length === 0) {
    return (
      <Typography sx={{ color: 'text.secondary' }}>
        {mayManage ? texts.grantedToNoGroup : texts.inNoGrantedGroup}
      </Typography>
    );
  }
  return (
    <>
      {withdraw.error !== null && <InlineError message={describeError(withdraw.error).message} />}
      <DataTable
        label={texts.groupsWithAccess}
        headings={mayManage ? [texts.group, texts.membersMay, '#'] : [texts.group, texts.membersMay]}
        rows={permissions.map(({ id, groupId, action }) => {
          const group = groups.find((one) => one.id === groupId);
          return {
            key: id,
            cells: [
              <GroupName key="group" group={group} />,
              action,
              ...(mayManage
                ? [
                    <Button
                      key="withdraw"
                      variant="text"
                      aria-label={texts.withdrawFrom(action, group?.name ?? texts.hiddenGroup)}
                      disabled={withdraw.isPending}
                      onClick={() => withdraw.mutate(id)}
                    >
                      {texts.withdraw}
                    </Button>,
                  ]
                : []),
            ],
          };
        })}
      />
    </>
  );
};

/**
 * Who has which rights on a dataset, as far as that is visible to the person. People who manage the dataset can grant
 * and withdraw rights.
 */
export const DatasetAccess = ({ dataset }: { dataset: Dataset }): ReactElement => {
  const mayManage = dataset.currentUserPermissions.manage;
  const permissions = useDatasetPermissions(dataset.id);
  const groups = useGroups();
  const memberships = useMemberships();
  const error = permissions.error ?? groups.error ?? memberships.error;
  if (error !== null) {
    const retry = () => void Promise.all([permissions.refetch(), groups.refetch(), memberships.refetch()]);
    return (
      <Box sx={{ p: 3 }}>
        <ErrorState title={texts.accessFailed} {...describeError(error)} onRetry={retry} />
      </Box>
    );
  }
  if (permissions.data === undefined || groups.data === undefined || memberships.data === undefined)
    return <Skeleton variant="rectangular" height={240} sx={{ m: 3 }} />;
  const granted = permissions.data.data;
  const visible = groups.data.data;
  return (
    <Box sx={{ p: { xs: 2, md: 3 }, maxWidth: 880 }}>
      <Typography sx={{ mb: 3, color: 'text.secondary' }}>
        {mayManage ? texts.grantHint : texts.visibleGroupsHint}
      </Typography>
      <Box component="section" sx={{ mb: 4 }}>
        <Typography variant="h2" sx={{ mb: 1 }}>
          {texts.groups}
        </Typography>
        <GrantList permissions={granted} groups={visible} mayManage={mayManage} />
        {mayManage && <GrantForm datasetId={dataset.id} groups={visible} />}
      </Box>
      <DatasetPeople
        dataset={dataset}
        permissions={granted}
        groups={visible}
        memberships={memberships.data.data}
      />
    </Box>
  );
};
