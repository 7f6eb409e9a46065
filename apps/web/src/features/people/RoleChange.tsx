import type { User } from '@redoubt/contract';
import Button from '@mui/material/Button';
import { useState, type ReactElement } from 'react';
import { FormDialog } from './FormDialog.tsx';
import { nameOf, useChangeRole } from './people.ts';
import { peopleText as texts } from '../../text/people.ts';

/** A button for admins that makes a member an admin, or an admin a member, after a question. */
export const RoleChange = ({ user }: { user: User }): ReactElement => {
  const change = useChangeRole(user.id);
  const [isAsking, setIsAsking] = useState(false);
  const name = nameOf(user);
  const isAdmin = user.role === 'admin';
  const words = isAdmin
    ? { action: texts.makeMember, title: texts.makeMemberTitle(name), hint: texts.makeMemberHint }
    : { action: texts.makeAdmin, title: texts.makeAdminTitle(name), hint: texts.makeAdminHint };
  const close = (): void => {
    setIsAsking(false);
    change.reset();
  };
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{words.action}</Button>
      {isAsking && (
        <FormDialog
          title={words.title}
          submitText={words.action}
          isPending={change.isPending}
          error={change.error}
          onClose={close}
          onSubmit={() => change.mutate(isAdmin ? 'member' : 'admin', { onSuccess: close })}
        >
          {words.hint}
        </FormDialog>
      )}
    </>
  );
};
