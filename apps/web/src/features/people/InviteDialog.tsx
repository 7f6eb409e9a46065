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
        Invitation for <bdi>{email}</bdi>
      </DialogTitle>
      <DialogContent>
        {link === null ? (
          <Typography>The link is on its way by mail. It works for 7 days.</Typography>
        ) : (
          <>
            <Typography sx={{ mb: 2 }}>
              This server sends no mail. Give this link to the person; you only see it now. It works for 7
              days.
            </Typography>
            <TextInput label="Link" value={link} readOnly onFocus={(event) => event.target.select()} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        {link !== null && <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy link'}</Button>}
        <Button variant="contained" color="primary" onClick={onClose}>
          Done
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
      title="Invite a person"
      submitText="Invite"
      isPending={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate({ email: email.trim(), role })}
      onClose={onClose}
    >
      <TextInput
        label="Email"
        type="email"
        required
        autoFocus
        value={email}
        hint="The person needs no account yet."
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectInput
        label="Role"
        value={role}
        disabled={!isAdmin}
        options={[
          { value: 'member', text: 'Member' },
          { value: 'admin', text: 'Admin: manages people, datasets and settings' },
        ]}
        onChange={(value) => setRole(value === 'admin' ? 'admin' : 'member')}
      />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        No role shows records with labels: that takes the attributes that the labels name.
      </Typography>
    </FormDialog>
  );
};
