import { ErrorState, InlineError, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState, type FormEvent, type ReactElement } from 'react';
import { describeError, isError } from '../../api/client.ts';
import { signInPath } from '../../api/page-session.ts';
import { DoneMessage } from './DoneMessage.tsx';
import { EntryPage } from './EntryPage.tsx';
import { mailToken } from './entry-address.ts';
import { textOf } from './form-text.ts';
import { useRequestReset, useSetPassword } from './mail-links.ts';
import { useSignInOptions } from './sign-in-options.ts';
import { sessionText as texts } from '../../text/session.ts';
import { FilledText } from '../../parts/FilledText.tsx';

/** Shown if the server sends no mail: only its operator can create a link. */
const AskOperator = (): ReactElement => (
  <>
    <Typography>{texts.noMail}</Typography>
    <Box
      component="pre"
      sx={{
        my: 2,
        p: 2,
        whiteSpace: 'pre-wrap',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        backgroundColor: 'background.sunken',
      }}
    >
      <code>{texts.resetCommand}</code>
    </Box>
  </>
);

const RequestForm = (): ReactElement => {
  const request = useRequestReset();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    request.mutate(textOf(new FormData(event.currentTarget), 'email').trim());
  };
  if (request.data !== undefined) {
    return (
      <Typography role="status">
        <FilledText text={texts.resetLinkSent} values={{ email: <bdi>{request.data.email}</bdi> }} />
      </Typography>
    );
  }
  return (
    <form onSubmit={submit}>
      {request.error !== null && <InlineError message={describeError(request.error).message} />}
      <TextInput
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        hint={texts.resetHint}
      />
      <Button type="submit" variant="contained" color="primary" fullWidth loading={request.isPending}>
        {texts.sendLink}
      </Button>
    </form>
  );
};

/** Says how to get a link: by mail or from the operator. */
const GetLink = (): ReactElement => {
  const { data: options, error, refetch } = useSignInOptions('');
  if (error !== null) {
    return <ErrorState title={texts.pageFailed} {...describeError(error)} onRetry={() => void refetch()} />;
  }
  if (options === undefined) return <CircularProgress size={24} aria-label={texts.loading} />;
  return options.sendsMail ? <RequestForm /> : <AskOperator />;
};

const NewPasswordForm = ({ onNewLink }: { onNewLink: () => void }): ReactElement => {
  const set = useSetPassword();
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = textOf(form, 'password');
    const isRepeated = password === textOf(form, 'repeated');
    setProblem(isRepeated ? undefined : 'This is another password. Type the same one in both fields.');
    if (isRepeated) set.mutate(password);
  };
  if (set.data !== undefined) {
    return (
      <DoneMessage linkText={texts.signIn}>
        <FilledText text={texts.passwordSet} values={{ email: <bdi>{set.data.email}</bdi> }} />
      </DoneMessage>
    );
  }
  if (isError(set.error, 'NotFoundError')) {
    return (
      <>
        <ErrorState title={texts.linkInvalid} {...describeError(set.error)} />
        <Button variant="contained" color="primary" fullWidth onClick={onNewLink}>
          {texts.askForNewLink}
        </Button>
      </>
    );
  }
  return (
    <form onSubmit={submit}>
      {set.error !== null && <InlineError message={describeError(set.error).message} />}
      <TextInput
        label={texts.newPassword}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        hint={texts.newPasswordHint}
        inputProps={{ minLength: 8 }}
      />
      <TextInput
        label={texts.newPasswordAgain}
        name="repeated"
        type="password"
        autoComplete="new-password"
        required
        problem={problem}
      />
      <Button type="submit" variant="contained" color="primary" fullWidth loading={set.isPending}>
        {texts.setPassword}
      </Button>
    </form>
  );
};

/** The page that sets a new password with the link in a mail. Without a link it says how to get one. */
export const ResetPasswordPage = (): ReactElement => {
  const [hasLink, setHasLink] = useState(mailToken !== '');
  return (
    <EntryPage title={hasLink ? texts.setNewPassword : texts.forgotYourPassword}>
      {hasLink ? <NewPasswordForm onNewLink={() => setHasLink(false)} /> : <GetLink />}
      <Typography sx={{ mt: 3 }}>
        <Link href={signInPath}>{texts.backToSignIn}</Link>
      </Typography>
    </EntryPage>
  );
};
