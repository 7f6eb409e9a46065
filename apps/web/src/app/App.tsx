import { ErrorState, RowHeight, theme } from '@redoubt/ui';
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import Box from '@mui/material/Box';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeError, isError } from '../api/client.ts';
import { currentMailPage, type MailPage } from '../api/page-session.ts';
import { ChangeEmailPage, VerifyEmailPage } from '../features/session/ConfirmPages.tsx';
import { isReturnFromProvider, isSignInPage, readSignInAddress } from '../features/session/entry-address.ts';
import { isConnectionLost, onReconnect } from '../api/connection.ts';
import { isInvitationPage } from '../features/session/invitation.ts';
import { InvitationPage } from '../features/session/InvitationPage.tsx';
import { forgetInvitation } from '../features/session/kept-invitation.ts';
import { LoginPage } from '../features/session/LoginPage.tsx';
import { ResetPasswordPage } from '../features/session/ResetPasswordPage.tsx';
import { SignInPage } from '../features/session/SignInPage.tsx';
import { useMe } from '../features/session/session.ts';
import { WorkspacePage } from '../features/session/WorkspacePage.tsx';
import { readNextPage } from './next-page.ts';
import { usePreferences, type Density } from '../preferences/preferences.ts';
import { shellText } from '../text/shell.ts';
import { OfflineBar } from './OfflineBar.tsx';
import { router } from './router.tsx';

// `speedy` inserts style rules one by one: the content security policy allows style elements only while they are empty.
const styles = createCache({ key: 'r', speedy: true });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Queries are retried as long as the server cannot be reached, and the offline bar says so meanwhile.
      retry: (count, error) => isError(error, 'HttpClientError') && (count < 2 || isConnectionLost()),
      retryDelay: (count) => Math.min(5000, 1000 * 2 ** count),
      networkMode: 'always',
      staleTime: 10_000,
    },
    mutations: { networkMode: 'always' },
  },
});

onReconnect(() => {
  void client.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.fetchFailureCount > 0 || state.status === 'error',
  });
});

const rowHeights: Record<Density, number> = { compact: 28, normal: 36, tall: 52 };
/** The padding above and below the text of a table cell, in pixels. The text is 20 px high and the border 1 px. */
const cellPaddings: Record<Density, number> = { compact: 3, normal: 7, tall: 15 };

/** Chooses the page by the session: none, a person without a workspace, or a member of one. */
const Entry = (): ReactElement | null => {
  const { data: me, error, refetch } = useMe();
  if (error !== null) {
    return (
      <ErrorState title={shellText.startFailed} {...describeError(error)} onRetry={() => void refetch()} />
    );
  }
  if (me === undefined) return null;
  if (isInvitationPage()) return <InvitationPage />;
  if (isSignInPage()) return <LoginPage me={me} next={readNextPage(readSignInAddress().next)} />;
  if (me === null) return <SignInPage next={readNextPage(location.href.slice(location.origin.length))} />;
  return me.workspaceId === null ? <WorkspacePage me={me} /> : <RouterProvider router={router} />;
};

const mailLinkPages: Readonly<Record<MailPage, () => ReactElement>> = {
  '/reset-password': ResetPasswordPage,
  '/verify-email': VerifyEmailPage,
  '/change-email': ChangeEmailPage,
};

if (!isReturnFromProvider) forgetInvitation();

const mailPage = currentMailPage();
const CurrentPage = mailPage === undefined ? Entry : mailLinkPages[mailPage];

/** The offline bar, and the page below it. */
const Frame = (): ReactElement => {
  const { density } = usePreferences();
  return (
    <RowHeight value={rowHeights[density]}>
      <Box
        sx={{
          height: '100dvh',
          display: 'grid',
          gridTemplateRows: 'auto minmax(0, 1fr)',
          '--redoubt-cell-padding': `${String(cellPaddings[density])}px`,
        }}
      >
        <OfflineBar />
        <Box sx={{ gridRow: 2, minHeight: 0, overflow: 'auto' }}>
          <CurrentPage />
        </Box>
      </Box>
    </RowHeight>
  );
};

export const App = (): ReactElement => (
  <CacheProvider value={styles}>
    <ThemeProvider theme={theme} defaultMode="system">
      <CssBaseline />
      <QueryClientProvider client={client}>
        <Frame />
      </QueryClientProvider>
    </ThemeProvider>
  </CacheProvider>
);
