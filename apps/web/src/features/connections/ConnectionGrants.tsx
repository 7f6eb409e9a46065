import type { ConnectionAction } from '@redoubt/contract';
import { InlineError, SelectInput, tableSx } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { connectionsText as texts } from '../../text/connections.ts';
import {
  useConnectionGrants,
  useGroupNames,
  useShareConnection,
  useWithdrawConnection,
} from './connections.ts';

const actions: readonly ConnectionAction[] = ['use', 'manage'];

/** The groups that a connection is shared with. */
export const ConnectionGrants = ({ connectionId }: { connectionId: string }): ReactElement => {
  const { data, error } = useConnectionGrants(connectionId, true);
  const groups = useGroupNames();
  const share = useShareConnection(connectionId);
  const withdraw = useWithdrawConnection();
  const [groupId, setGroupId] = useState('');
  const [action, setAction] = useState<ConnectionAction>('use');
  const names = new Map((groups.data?.data ?? []).map(({ id, name }) => [id, name]));
  const grants = data?.data ?? [];
  const problem = error ?? share.error ?? withdraw.error;
  return (
    <Box component="section" sx={{ maxWidth: 720 }}>
      <Typography variant="h2" sx={{ mb: 0.5 }}>
        {texts.sharedWith}
      </Typography>
      <Typography variant="caption" component="p" sx={{ mb: 1, color: 'text.secondary' }}>
        {texts.sharedHint}
      </Typography>
      {problem !== null && <InlineError message={describeError(problem).message} />}
      {data !== undefined && grants.length === 0 && (
        <Typography sx={{ mb: 2, color: 'text.secondary' }}>{texts.notShared}</Typography>
      )}
      {grants.length > 0 && (
        <Box sx={{ mb: 2, overflowX: 'auto', ...tableSx }}>
          <Table size="small" aria-label={texts.sharedWith}>
            <TableHead>
              <TableRow>
                <TableCell>{texts.group}</TableCell>
                <TableCell>{texts.may}</TableCell>
                <TableCell />
              </TableRow>
            </TableHead>
            <TableBody>
              {grants.map((grant) => {
                const name = names.get(grant.groupId) ?? texts.hiddenGroup;
                return (
                  <TableRow key={grant.id}>
                    <TableCell>
                      <bdi>{name}</bdi>
                    </TableCell>
                    <TableCell>{texts.actions[grant.action]}</TableCell>
                    <TableCell align="right">
                      <Button
                        variant="text"
                        aria-label={texts.withdrawFrom(name)}
                        disabled={withdraw.isPending}
                        onClick={() => withdraw.mutate(grant.id)}
                      >
                        {texts.withdraw}
                      </Button>
                    </TableCell>
                  </TableRow>
                );
              })}
            </TableBody>
          </Table>
        </Box>
      )}
      <Box
        component="form"
        sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'flex-end' }}
        onSubmit={(event) => {
          event.preventDefault();
          share.mutate({ groupId, action }, { onSuccess: () => setGroupId('') });
        }}
      >
        <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
          <SelectInput
            label={texts.group}
            value={groupId}
            options={[
              { value: '', text: texts.choose },
              ...[...names].map(([value, text]) => ({ value, text })),
            ]}
            onChange={setGroupId}
          />
        </Box>
        <Box sx={{ width: 128 }}>
          <SelectInput
            label={texts.may}
            value={action}
            options={actions.map((value) => ({ value, text: texts.actions[value] }))}
            onChange={(value) => setAction(actions.find((one) => one === value) ?? 'use')}
          />
        </Box>
        <Button type="submit" disabled={groupId === ''} loading={share.isPending} sx={{ mb: 2 }}>
          {texts.share}
        </Button>
      </Box>
    </Box>
  );
};
