import { ErrorState, theme } from '@redoubt/ui';
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeError, isError } from '../api/client.ts';
import { currentMailPage, type MailPage } from '../api/page-session.ts';
import { ChangeEmailPage, VerifyEmailPage } from '../features/session/ConfirmPages.tsx';
import { isSignInPage, readSignInAddress } from '../features/session/entry-address.ts';
import { isInvitationPage } from '../features/session/invitation.ts';
import { InvitationPage } from '../features/session/InvitationPage.tsx';
import { LoginPage } from '../features/session/LoginPage.tsx';
import { ResetPasswordPage } from '../features/session/ResetPasswordPage.tsx';
import { SignInPage } from '../features/session/SignInPage.tsx';
import { useMe } from '../features/session/session.ts';
import { WorkspacePage } from '../features/session/WorkspacePage.tsx';
import { readNextPage } from './next-page.ts';
import { router } from './router.tsx';

// Rules go in one by one: the content security policy allows style elements only while they are empty.
const styles = createCache({ key: 'r', speedy: true });

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: (count, error) => isError(error, 'HttpClientError') && count < 2, staleTime: 10_000 },
  },
});

/** The page for who is here: nobody, a person without a workspace, or a member of one. */
const Entry = (): ReactElement | null => {
  const { data: me, error, refetch } = useMe();
  if (error !== null) {
    return (
      <ErrorState
        title="The console could not start"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (me === undefined) return null;
  if (isInvitationPage()) return <InvitationPage />;
  if (isSignInPage()) return <LoginPage me={me} next={readNextPage(readSignInAddress().next)} />;
  if (me === null) return <SignInPage next={readNextPage(`${location.pathname}${location.search}`)} />;
  return me.workspaceId === null ? <WorkspacePage me={me} /> : <RouterProvider router={router} />;
};

const mailLinkPages: Readonly<Record<MailPage, () => ReactElement>> = {
  '/reset-password': ResetPasswordPage,
  '/verify-email': VerifyEmailPage,
  '/change-email': ChangeEmailPage,
};

const mailPage = currentMailPage();
const CurrentPage = mailPage === undefined ? Entry : mailLinkPages[mailPage];

export const App = (): ReactElement => (
  <CacheProvider value={styles}>
    <ThemeProvider theme={theme} defaultMode="system">
      <CssBaseline />
      <QueryClientProvider client={client}>
        <CurrentPage />
      </QueryClientProvider>
    </ThemeProvider>
  </CacheProvider>
);
