import type { Workspace } from '@redoubt/contract';
import Box from '@mui/material/Box';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, type ReactElement } from 'react';
import { useMe, useWorkspaces } from '../features/session/session.ts';
import { UploadsProvider } from '../features/uploads/UploadsProvider.tsx';
import { Wordmark } from '../features/session/Wordmark.tsx';
import { Commands } from './palette/Commands.tsx';
import { Rail } from './Rail.tsx';

const UploadTray = lazy(async () => ({
  default: (await import('../features/uploads/UploadTray.tsx')).UploadTray,
}));

/** The frame of every page of a workspace: top bar, navigation and content. */
export const Shell = (): ReactElement => {
  const { data: me } = useMe();
  const { data: workspaces } = useWorkspaces();
  const workspace = (workspaces?.data ?? []).find(({ id }: Workspace) => id === me?.workspaceId);
  return (
    // A new session or workspace mounts these components again, so that they forget uploads and recent actions.
    <UploadsProvider key={`${me?.sessionId ?? ''} ${me?.workspaceId ?? ''}`}>
      <Box
        sx={{
          display: 'grid',
          height: '100%',
          gridTemplateRows: '48px minmax(0, 1fr)',
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            sm: '56px minmax(0, 1fr)',
            lg: '200px minmax(0, 1fr)',
          },
          gridTemplateAreas: { xs: '"top" "main"', sm: '"top top" "rail main"' },
          pb: { xs: '48px', sm: 0 },
        }}
      >
        <Box
          component="header"
          sx={{
            gridArea: 'top',
            display: 'flex',
            alignItems: 'center',
            gap: { xs: 1, md: 2 },
            pl: 2,
            pr: 1,
            minWidth: 0,
            borderBottom: 1,
            borderColor: 'divider',
            backgroundColor: 'background.paper',
          }}
        >
          <Wordmark />
          <Box
            component="span"
            sx={{
              color: 'text.secondary',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
              minWidth: { xs: 0, md: 120 },
              flex: { xs: '1 1 0', md: 'none' },
            }}
          >
            <bdi>{workspace?.name ?? me?.workspaceId}</bdi>
          </Box>
          {me !== null && me !== undefined && <Commands me={me} />}
        </Box>
        <Rail />
        <Box component="main" sx={{ gridArea: 'main', minWidth: 0, minHeight: 0, overflow: 'auto' }}>
          <Outlet />
        </Box>
        <Suspense>
          <UploadTray />
        </Suspense>
      </Box>
    </UploadsProvider>
  );
};
