import type { Connection, ConnectionPatch } from '@redoubt/contract';
import { InlineError, TextInput } from '@redoubt/ui';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { HintedCheckbox } from '../../parts/HintedOption.tsx';
import { fieldsOf, problemsOf, toStoredInfo } from '../../parts/sources/connection-info.ts';
import { SourceFields } from '../../parts/sources/SourceFields.tsx';
import { kindOf } from '../../parts/sources/source-kinds.ts';
import { connectionsText as texts } from '../../text/connections.ts';
import { allowedLines } from '../../parts/sources/stored-connection.ts';
import {
  findConnectionProblems,
  newConnectionDraft,
  toAllowed,
  type ConnectionDraft,
} from './connection-form.ts';
import { usePatchConnection } from './connections.ts';
import { RestrictionFields } from './RestrictionFields.tsx';

/** A dialog that changes what is stored of a connection. Its details can only be replaced, because nobody sees them. */
export const ChangeDialog = ({
  connection,
  onClose,
}: {
  connection: Connection;
  onClose: () => void;
}): ReactElement => {
  const { type, name, allowed, minimumLabel } = connection;
  const kind = kindOf(connection);
  const patch = usePatchConnection(connection.id);
  const [replaces, setReplaces] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const [draft, setDraft] = useState<ConnectionDraft>({
    ...newConnectionDraft,
    ...(kind !== undefined && { kind }),
    name,
    allowed: allowedLines(type, allowed),
    minimumLabel: minimumLabel ?? '',
  });
  const found = findConnectionProblems(draft);
  const isBlocked = replaces ? found.isBlocked : found.name !== undefined || found.allowed !== undefined;
  const change = (part: Partial<ConnectionDraft>): void => {
    patch.reset();
    setDraft({ ...draft, ...part });
  };
  /** Only what was changed, so that a label that the person may not change stays. */
  const body = (): ConnectionPatch => ({
    ...(draft.name.trim() !== name && { name: draft.name.trim() }),
    ...(draft.allowed !== allowedLines(type, allowed) && { allowed: toAllowed(type, draft.allowed) }),
    ...(draft.minimumLabel !== (minimumLabel ?? '') && {
      minimumLabel: draft.minimumLabel === '' ? null : draft.minimumLabel,
    }),
    ...(replaces && { connectionInfo: toStoredInfo(draft.kind, draft.values) }),
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="change-connection">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setHasTried(true);
          if (!isBlocked) patch.mutate(body(), { onSuccess: onClose });
        }}
      >
        <DialogTitle id="change-connection">{texts.changeTitle}</DialogTitle>
        <DialogContent>
          {patch.error !== null && <InlineError message={describeError(patch.error).message} />}
          <TextInput
            label={texts.name}
            value={draft.name}
            problem={hasTried ? found.name : undefined}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value })}
          />
          <RestrictionFields
            type={type}
            allowed={draft.allowed}
            allowedProblem={hasTried ? found.allowed : undefined}
            minimumLabel={draft.minimumLabel}
            onAllowed={(lines) => change({ allowed: lines })}
            onMinimumLabel={(label) => change({ minimumLabel: label })}
          />
          {kind !== undefined && (
            <HintedCheckbox
              text={texts.replaceDetails}
              hint={texts.replaceHint}
              isChecked={replaces}
              onChange={setReplaces}
            />
          )}
          {replaces && (
            <SourceFields
              kind={draft.kind}
              fields={fieldsOf(draft.kind, draft.values).connection}
              values={draft.values}
              problems={{ ...problemsOf(patch.error), ...(hasTried && found.fields) }}
              onChange={(values) => change({ values })}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="contained" color="primary" loading={patch.isPending}>
            {texts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
