import Box from '@mui/material/Box';
import { Outlet } from '@tanstack/react-router';
import { Database, KeyRound, ListChecks, Search, Terminal, User, Users } from 'lucide-react';
import { lazy, Suspense, type ReactElement } from 'react';
import { useMe } from '../features/session/session.ts';
import { UploadsProvider } from '../features/uploads/UploadsProvider.tsx';
import { Wordmark } from '../features/session/Wordmark.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { RailLink } from './RailLink.tsx';

const UploadTray = lazy(async () => ({
  default: (await import('../features/uploads/UploadTray.tsx')).UploadTray,
}));

/** The frame of every page of a workspace: top bar, navigation and content. */
export const Shell = (): ReactElement => {
  const { data: me } = useMe();
  return (
    // Another session or workspace forgets the uploads of the one before.
    <UploadsProvider key={`${me?.sessionId ?? ''} ${me?.workspaceId ?? ''}`}>
      <Box
        sx={{
          display: 'grid',
          height: '100dvh',
          gridTemplateRows: '48px minmax(0, 1fr)',
          gridTemplateColumns: { xs: '1fr', sm: '56px minmax(0, 1fr)', lg: '200px minmax(0, 1fr)' },
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
            gap: 2,
            px: 2,
            borderBottom: 1,
            borderColor: 'divider',
            backgroundColor: 'background.paper',
          }}
        >
          <Wordmark />
          <Box
            component="span"
            sx={{ color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }}
          >
            <bdi>{me?.workspaceId}</bdi>
          </Box>
          <Box sx={{ flex: 1 }} />
          {me !== null && me !== undefined && <AccountMenu me={me} />}
        </Box>
        <Box
          component="nav"
          aria-label="Main"
          sx={{
            gridArea: { sm: 'rail' },
            display: 'flex',
            flexDirection: { xs: 'row', sm: 'column' },
            justifyContent: { xs: 'space-between', sm: 'flex-start' },
            overflowX: { xs: 'auto', sm: 'visible' },
            position: { xs: 'fixed', sm: 'static' },
            bottom: 0,
            left: 0,
            right: 0,
            height: { xs: 48, sm: 'auto' },
            zIndex: 2,
            p: { xs: 0.5, sm: 1 },
            gap: 0.5,
            borderRight: { sm: 1 },
            borderTop: { xs: 1, sm: 0 },
            borderColor: { xs: 'divider', sm: 'divider' },
            backgroundColor: 'background.sunken',
          }}
        >
          <RailLink to="/datasets" icon={Database} label="Datasets" />
          <RailLink to="/search" icon={Search} label="Search" />
          <RailLink to="/sql" icon={Terminal} label="SQL" />
          <RailLink to="/jobs" icon={ListChecks} label="Jobs" />
          <RailLink to="/people" icon={User} label="People" />
          <RailLink to="/groups" icon={Users} label="Groups" />
          <RailLink to="/attributes" icon={KeyRound} label="Attributes" />
        </Box>
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
