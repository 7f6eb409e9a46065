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
import { sessionText as texts } from '../../text/session.ts';
import { FilledText } from '../../parts/FilledText.tsx';

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
        <EmptyState title={texts.linkIncomplete}>{texts.linkIncompleteHint}</EmptyState>
        {advice}
      </>
    );
  }
  if (confirm.error !== null) {
    return (
      <>
        <ErrorState title={texts.linkFailed} {...describeError(confirm.error)} />
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
        <FilledText
          text={texts.signInForLink}
          values={{ signIn: <Link href={signInPath}>{texts.signIn}</Link> }}
        />
      </Typography>
    );
  }
  if (request.data !== undefined) {
    return (
      <Typography role="status">
        <FilledText text={texts.newLinkSent} values={{ email: <bdi>{request.data.email}</bdi> }} />
      </Typography>
    );
  }
  return (
    <>
      {request.error !== null && <InlineError message={describeError(request.error).message} />}
      <Button fullWidth loading={request.isPending} onClick={() => request.mutate()}>
        <FilledText text={texts.sendNewLink} values={{ email: <bdi>{me.email}</bdi> }} />
      </Button>
    </>
  );
};

/** The page that confirms the address of an account, opened by the link in a mail. */
export const VerifyEmailPage = (): ReactElement => {
  const confirm = useConfirmEmail();
  return (
    <EntryPage title={texts.confirmEmail}>
      {confirm.data === undefined ? (
        <ConfirmForm
          text={texts.confirmEmailHint}
          button={texts.confirmAddress}
          confirm={confirm}
          advice={<NewVerification />}
        />
      ) : (
        <DoneMessage>
          <FilledText text={texts.addressConfirmed} values={{ email: <bdi>{confirm.data.email}</bdi> }} />
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
    <EntryPage title={texts.changeEmail}>
      {change === undefined ? (
        <ConfirmForm
          text={texts.changeEmailHint}
          button={texts.confirmChange}
          confirm={confirm}
          advice={<Typography sx={{ color: 'text.secondary' }}>{texts.changeEmailAdvice}</Typography>}
        />
      ) : (
        <DoneMessage>
          {isDone ? (
            <FilledText text={texts.addressChanged} values={{ email: <bdi>{change.newEmail}</bdi> }} />
          ) : (
            <FilledText
              text={change.confirmedAtOldAddress ? texts.newAddressMissing : texts.oldAddressMissing}
              values={{ email: <bdi>{change.newEmail}</bdi> }}
            />
          )}
        </DoneMessage>
      )}
    </EntryPage>
  );
};
