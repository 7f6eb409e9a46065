import type { WorkspaceRole } from '@redoubt/contract';
import { SelectInput, TextInput } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useState, type ReactElement } from 'react';
import { FormDialog } from './FormDialog.tsx';
import { useInvite } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';
import { FilledText } from '../../parts/FilledText.tsx';

interface InvitedProps {
  email: string;
  link: string | null;
  onClose: () => void;
}

/** The result of an invitation: that the link was mailed, or the link itself, which the server returns only once. */
const Invited = ({ email, link, onClose }: InvitedProps): ReactElement => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(link ?? '');
    setIsCopied(true);
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="invited">
      <DialogTitle id="invited">
        <FilledText text={texts.invitationFor} values={{ email: <bdi>{email}</bdi> }} />
      </DialogTitle>
      <DialogContent>
        {link === null ? (
          <Typography>{texts.linkMailed}</Typography>
        ) : (
          <>
            <Typography sx={{ mb: 2 }}>{texts.linkHint}</Typography>
            <TextInput label={texts.link} value={link} readOnly onFocus={(event) => event.target.select()} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        {link !== null && (
          <Button onClick={() => void copy()}>{isCopied ? texts.copied : texts.copyLink}</Button>
        )}
        <Button variant="contained" color="primary" onClick={onClose}>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

/** A dialog that invites an address. If the server sends no mail, it then shows the link. */
export const InviteDialog = ({
  isAdmin,
  onClose,
}: {
  isAdmin: boolean;
  onClose: () => void;
}): ReactElement => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<WorkspaceRole>('member');
  const invite = useInvite();
  if (invite.data !== undefined) {
    return <Invited email={invite.data.email} link={invite.data.link} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={texts.invitePerson}
      submitText={texts.invite}
      isPending={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate({ email: email.trim(), role })}
      onClose={onClose}
    >
      <TextInput
        label={texts.email}
        type="email"
        required
        autoFocus
        value={email}
        hint={texts.inviteHint}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectInput
        label={texts.role}
        value={role}
        disabled={!isAdmin}
        options={[
          { value: 'member', text: texts.member },
          { value: 'admin', text: texts.adminRole },
        ]}
        onChange={(value) => setRole(value === 'admin' ? 'admin' : 'member')}
      />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {texts.roleHint}
      </Typography>
    </FormDialog>
  );
};
