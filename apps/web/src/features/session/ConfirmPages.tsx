import { EmptyState, ErrorState, InlineError } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactElement, ReactNode } from 'react';
import { describeError } from '../../api/client.ts';
import { signInPath } from '../../api/page-session.ts';
import { DoneMessage } from './DoneMessage.tsx';
import { EntryPage } from './EntryPage.tsx';
import { mailToken } from './entry-address.ts';
import { useConfirmEmail, useConfirmEmailChange, useRequestVerification } from './mail-links.ts';
import { useMe } from './session.ts';

interface ConfirmFormProps {
  text: string;
  button: string;
  confirm: { error: Error | null; isPending: boolean; mutate: () => void };
  /** Advice for the case that the link is not valid. */
  advice: ReactNode;
}

/**
 * A form with a button that confirms. Opening the page confirms nothing, because mail programs open links by
 * themselves.
 */
const ConfirmForm = ({ text, button, confirm, advice }: ConfirmFormProps): ReactElement => {
  if (mailToken === '') {
    return (
      <>
        <EmptyState title="This link is incomplete">
          Open the link in the mail again: it works in one page, and is gone from the address after a reload.
        </EmptyState>
        {advice}
      </>
    );
  }
  if (confirm.error !== null) {
    return (
      <>
        <ErrorState title="This link could not be used" {...describeError(confirm.error)} />
        {advice}
      </>
    );
  }
  return (
    <>
      <Typography sx={{ mb: 3, color: 'text.secondary' }}>{text}</Typography>
      <Button
        variant="contained"
        color="primary"
        fullWidth
        autoFocus
        loading={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        {button}
      </Button>
    </>
  );
};

/** A button that sends the person who is signed in a new link. */
const NewVerification = (): ReactElement | null => {
  const { data: me } = useMe();
  const request = useRequestVerification();
  if (me === undefined) return null;
  if (me === null) {
    return (
      <Typography>
        <Link href={signInPath}>Sign in</Link>, then open this page again to get a new link.
      </Typography>
    );
  }
  if (request.data !== undefined) {
    return (
      <Typography role="status">
        A mail with a new link is on its way to <bdi>{request.data.email}</bdi>.
      </Typography>
    );
  }
  return (
    <>
      {request.error !== null && <InlineError message={describeError(request.error).message} />}
      <Button fullWidth loading={request.isPending} onClick={() => request.mutate()}>
        Send a new link to <bdi>&nbsp;{me.email}</bdi>
      </Button>
    </>
  );
};

/** The page that confirms the address of an account, opened by the link in a mail. */
export const VerifyEmailPage = (): ReactElement => {
  const confirm = useConfirmEmail();
  return (
    <EntryPage title="Confirm your email address">
      {confirm.data === undefined ? (
        <ConfirmForm
          text="You got this link because a Redoubt account was created with your address. Confirm it only if that was you."
          button="Confirm address"
          confirm={confirm}
          advice={<NewVerification />}
        />
      ) : (
        <DoneMessage>
          The address <bdi>{confirm.data.email}</bdi> is confirmed.
        </DoneMessage>
      )}
    </EntryPage>
  );
};

/** The page that confirms a change of address at the old or the new address. */
export const ChangeEmailPage = (): ReactElement => {
  const confirm = useConfirmEmailChange();
  const change = confirm.data;
  const isDone = change?.confirmedAtOldAddress === true && change.confirmedAtNewAddress;
  return (
    <EntryPage title="Change your email address">
      {change === undefined ? (
        <ConfirmForm
          text="The address of your account changes when it is confirmed at the present and at the new address."
          button="Confirm the change"
          confirm={confirm}
          advice={
            <Typography sx={{ color: 'text.secondary' }}>
              If the change is still wanted, start it again in your account: both addresses then get new
              links.
            </Typography>
          }
        />
      ) : (
        <DoneMessage>
          {isDone ? (
            <>
              The address of your account is now <bdi>{change.newEmail}</bdi>.
            </>
          ) : (
            <>
              Confirmed. The address changes to <bdi>{change.newEmail}</bdi> when the link in the mail to{' '}
              {change.confirmedAtOldAddress ? 'the new' : 'your present'} address is used as well.
            </>
          )}
        </DoneMessage>
      )}
    </EntryPage>
  );
};
