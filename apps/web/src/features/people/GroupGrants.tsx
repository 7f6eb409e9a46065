import { InlineError } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { datasetsQuery } from '../../api/datasets-query.ts';
import { DatasetGrantForm } from './DatasetGrantForm.tsx';
import { DataTable } from '../../parts/DataTable.tsx';
import { useGrant, usePermissions, useWithdrawGrant } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';

interface GroupGrantsProps {
  groupId: string;
  /** Whether its button is the primary one of the page. */
  isPrimary: boolean;
}

/** The datasets that are granted to a group, with the rights. */
export const GroupGrants = ({ groupId, isPrimary }: GroupGrantsProps): ReactElement => {
  const permissions = usePermissions(groupId);
  const datasets = useQuery(datasetsQuery);
  const grant = useGrant(groupId);
  const withdraw = useWithdrawGrant();
  const all = datasets.data?.data ?? [];
  const granted = permissions.data?.data ?? [];
  const managed = all.filter(({ currentUserPermissions }) => currentUserPermissions.manage);
  const error = grant.error ?? withdraw.error;
  return (
    <Box component="section">
      <Typography variant="h2" sx={{ mb: 1 }}>
        {texts.datasets}
      </Typography>
      {error !== null && <InlineError message={describeError(error).message} />}
      {managed.length > 0 && (
        <DatasetGrantForm
          label={texts.datasetToGrant}
          options={managed.map(({ id, name }) => ({ value: id, text: name }))}
          isPrimary={isPrimary}
          isPending={grant.isPending}
          onGrant={(datasetId, action) => grant.mutate({ datasetId, action })}
        />
      )}
      {granted.length === 0 ? (
        <Typography sx={{ color: 'text.secondary' }}>{texts.noDatasets}</Typography>
      ) : (
        <DataTable
          label={texts.datasets}
          headings={[texts.dataset, texts.membersMay, '#']}
          rows={granted.map((permission) => {
            const dataset = all.find(({ id }) => id === permission.datasetId);
            const name = dataset?.name ?? permission.datasetId;
            return {
              key: permission.id,
              cells: [
                dataset === undefined ? (
                  'a dataset that you do not see'
                ) : (
                  <Link key="dataset" to="/datasets/$id" params={{ id: dataset.id }}>
                    <bdi>{name}</bdi>
                  </Link>
                ),
                permission.action,
                dataset?.currentUserPermissions.manage === true && (
                  <Button
                    key="withdraw"
                    variant="text"
                    aria-label={texts.withdrawOf(permission.action, name)}
                    onClick={() => withdraw.mutate(permission.id)}
                  >
                    {texts.withdraw}
                  </Button>
                ),
              ],
            };
          })}
        />
      )}
    </Box>
  );
};
