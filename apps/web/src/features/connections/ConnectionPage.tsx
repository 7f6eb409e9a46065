import { ErrorState, PageHeader, TableSkeleton } from '@redoubt/ui';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { DeleteDialog } from '../../parts/DeleteDialog.tsx';
import { Fact, FactList } from '../../parts/Fact.tsx';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { LoadProblem } from '../../parts/LoadProblem.tsx';
import { connectionsText as texts } from '../../text/connections.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { allowedLines, targetText } from '../../parts/sources/stored-connection.ts';
import { ConnectionGrants } from './ConnectionGrants.tsx';
import { useConnection, useDeleteConnection, useTestConnection } from './connections.ts';
import { kindText, TestState } from './ConnectionsPage.tsx';

const route = getRouteApi('/connections/$connectionId');

/** The page of one stored connection. It never shows secrets, because the server never returns them. */
export const ConnectionPage = (): ReactElement => {
  const { connectionId: id } = route.useParams();
  const { test: testsAtOnce } = route.useSearch();
  const navigate = useNavigate();
  const { data: connection, error, refetch } = useConnection(id);
  const test = useTestConnection(id);
  const remove = useDeleteConnection();
  const [isChanging, setIsChanging] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const hasTested = useRef(false);
  const { mutate: runTest } = test;
  // A new connection is tested once, and the address then says no longer that it is new.
  useEffect(() => {
    if (testsAtOnce !== true || hasTested.current) return;
    hasTested.current = true;
    runTest();
    void navigate({ to: '/connections/$connectionId', params: { connectionId: id }, replace: true });
  }, [testsAtOnce, runTest, navigate, id]);
  if (error !== null) {
    return (
      <LoadProblem
        error={error}
        absent={texts.absent}
        absentHint={texts.absentHint}
        failed={texts.oneFailed}
        onRetry={() => void refetch()}
      >
        <LinkButton to="/connections">{texts.openConnections}</LinkButton>
      </LoadProblem>
    );
  }
  if (connection === undefined) return <TableSkeleton label={texts.loadingOne} hasTitle />;
  const mayManage = connection.currentUserPermissions.manage;
  const allowed = allowedLines(connection.type, connection.allowed);
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <title>{texts.pageTitle}</title>
      <PageHeader
        title={<bdi>{connection.name}</bdi>}
        facts={`${kindText(connection)} · ${targetText(connection.target)}`}
        actions={
          <>
            {mayManage && (
              <>
                <Button color="error" onClick={() => setIsAsking(true)}>
                  {texts.delete}
                </Button>
                <Button onClick={() => setIsChanging(true)}>{texts.change}</Button>
              </>
            )}
            <Button
              variant="contained"
              color="primary"
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              {texts.test}
            </Button>
          </>
        }
      />
      {test.error !== null && <ErrorState title={texts.testFailed} {...describeError(test.error)} />}
      {remove.error !== null && <ErrorState title={texts.deleteFailed} {...describeError(remove.error)} />}
      {test.isPending && (
        <Typography role="status" sx={{ mb: 2, color: 'text.secondary' }}>
          {texts.testing}
        </Typography>
      )}
      {test.data !== undefined &&
        (test.data.succeeded ? (
          <Alert severity="success" variant="outlined" sx={{ mb: 2, maxWidth: 880 }}>
            {test.data.message}
            {test.data.found.length > 0 && (
              <Box component="ul" aria-label={texts.found} sx={{ m: 0, mt: 1, pl: 2 }}>
                {test.data.found.map((name) => (
                  <li key={name}>
                    <bdi>{name}</bdi>
                  </li>
                ))}
              </Box>
            )}
          </Alert>
        ) : (
          <ErrorState title={texts.testFailed} message={test.data.message} />
        ))}
      <FactList>
        <Fact name={texts.tested}>
          <TestState testedAt={connection.testedAt} />
        </Fact>
        <Fact name={texts.restrictions}>{allowed === '' ? texts.everything : <bdi>{allowed}</bdi>}</Fact>
        <Fact name={texts.minimumLabel}>
          {connection.minimumLabel === null ? texts.noMinimum : <code>{connection.minimumLabel}</code>}
        </Fact>
        <Fact name={texts.rights}>{mayManage ? texts.manage : texts.use}</Fact>
      </FactList>
      {mayManage && <ConnectionGrants connectionId={id} />}
      {isChanging && <ChangeDialog connection={connection} onClose={() => setIsChanging(false)} />}
      {isAsking && (
        <DeleteDialog
          title={texts.deleteTitle(connection.name)}
          hint={texts.deleteHint}
          texts={texts}
          isPending={remove.isPending}
          onDelete={() =>
            remove.mutate(id, {
              onSuccess: () => void navigate({ to: '/connections' }),
              onError: () => setIsAsking(false),
            })
          }
          onClose={() => setIsAsking(false)}
        />
      )}
    </Box>
  );
};
