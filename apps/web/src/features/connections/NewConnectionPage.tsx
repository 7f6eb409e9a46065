import { ErrorState, PageHeader, TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { describeError } from '../../api/client.ts';
import { usePerson } from '../../api/shared-queries.ts';
import { LinkButton } from '../../parts/LinkButton.tsx';
import { fieldsOf, isAtFields, problemsOf } from '../../parts/sources/connection-info.ts';
import { KindChoice } from '../../parts/sources/KindChoice.tsx';
import { SourceFields } from '../../parts/sources/SourceFields.tsx';
import { sourceForms } from '../../parts/sources/source-kinds.ts';
import { connectionsText as texts } from '../../text/connections.ts';
import {
  findConnectionProblems,
  newConnectionDraft,
  toConnection,
  type ConnectionDraft,
} from './connection-form.ts';
import { useCreateConnection } from './connections.ts';
import { RestrictionFields } from './RestrictionFields.tsx';

/** The page that stores a new connection. */
export const NewConnectionPage = (): ReactElement => {
  const me = usePerson();
  const navigate = useNavigate();
  const create = useCreateConnection();
  const [draft, setDraft] = useState<ConnectionDraft>(newConnectionDraft);
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const found = findConnectionProblems(draft);
  const shown = attempts > 0 ? found : undefined;
  const problems = { ...problemsOf(create.error), ...shown?.fields };

  // The focus of the browser is outside of React: it goes to the first field with a problem.
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts, create.error]);

  const change = (part: Partial<ConnectionDraft>): void => {
    create.reset();
    setDraft({ ...draft, ...part });
  };
  return (
    <Box
      component="form"
      ref={form}
      noValidate
      sx={{ p: { xs: 2, md: 3 } }}
      onSubmit={(event) => {
        event.preventDefault();
        setAttempts(attempts + 1);
        if (found.isBlocked) return;
        create.mutate(toConnection(me?.workspaceId ?? '', draft), {
          onSuccess: ({ id }) =>
            void navigate({
              to: '/connections/$connectionId',
              params: { connectionId: id },
              search: { test: true },
            }),
        });
      }}
    >
      <title>{texts.pageTitle}</title>
      <PageHeader
        title={texts.newTitle}
        facts={texts.secretsHint}
        actions={
          <>
            <LinkButton to="/connections">{texts.cancel}</LinkButton>
            <Button type="submit" variant="contained" color="primary" loading={create.isPending}>
              {texts.create}
            </Button>
          </>
        }
      />
      {create.error !== null && !isAtFields(create.error) && (
        <ErrorState title={texts.createFailed} {...describeError(create.error)} />
      )}
      <Box sx={{ maxWidth: 720 }}>
        <TextInput
          label={texts.name}
          value={draft.name}
          problem={shown?.name}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
        <KindChoice kind={draft.kind} onChange={(kind) => change({ kind, allowed: '' })} />
        <Typography variant="h2" sx={{ mb: 1 }}>
          {texts.details}
        </Typography>
        <SourceFields
          kind={draft.kind}
          fields={fieldsOf(draft.kind, draft.values).connection}
          values={draft.values}
          problems={problems}
          onChange={(values) => change({ values })}
        />
        <Typography variant="h2" sx={{ mb: 1 }}>
          {texts.restrictions}
        </Typography>
        <RestrictionFields
          type={sourceForms[draft.kind].type}
          allowed={draft.allowed}
          allowedProblem={shown?.allowed}
          minimumLabel={draft.minimumLabel}
          onAllowed={(allowed) => change({ allowed })}
          onMinimumLabel={(minimumLabel) => change({ minimumLabel })}
        />
      </Box>
    </Box>
  );
};
