import { useId, useState, type FormEvent, type ReactNode } from 'react';
import styles from './api.module.css';
import type { Connection, ConnectionState, CredentialKind } from './connection.ts';
import { SignInForm } from './SignInForm.tsx';

export const credentialNames: Record<CredentialKind, string> = {
  bearer: 'bearer token',
  'api-key': 'API key',
};

interface ConnectionProps {
  state: ConnectionState;
  connection: Connection;
}

function HostForm({ state, connection }: ConnectionProps): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const host = new FormData(event.currentTarget).get('host');
    setProblem(connection.chooseHost(typeof host === 'string' ? host : ''));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div>
        <label className={styles.label} htmlFor={id}>
          Host
        </label>
        <div className={styles.row}>
          <input
            id={id}
            key={state.origin}
            className={styles.input}
            name="host"
            type="text"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            defaultValue={state.origin}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          />
          <button type="submit" className={styles.button}>
            Use this host
          </button>
          {state.isForeign && (
            <button type="button" className={styles.button} onClick={connection.chooseSite}>
              Back to this server
            </button>
          )}
        </div>
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.fault} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function CredentialForm({ state, connection }: ConnectionProps): ReactNode {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const value = data.get('value');
    if (typeof value !== 'string' || value.trim() === '') return;
    connection.enter(
      data.get('kind') === 'api-key' ? 'api-key' : 'bearer',
      value.trim(),
      data.get('keep') !== null,
    );
  };
  if (state.holds !== undefined) {
    return (
      <div className={styles.form}>
        <p className={styles.hint}>
          This page holds a {credentialNames[state.holds]} for <code>{state.origin}</code>,{' '}
          {state.isKept ? 'until you close this tab' : 'until you leave or reload this page'}. No other host
          gets it, and choosing another host drops it.
        </p>
        <button type="button" className={styles.button} onClick={connection.forget}>
          Forget it
        </button>
      </div>
    );
  }
  return (
    // The `key` replaces the form when the host changes, so that nothing typed for one host is sent to another.
    <form key={state.origin} className={styles.form} onSubmit={submit}>
      <div className={styles.row}>
        <div>
          <label className={styles.label} htmlFor={`${id}-kind`}>
            Credential
          </label>
          <select id={`${id}-kind`} className={styles.input} name="kind">
            <option value="bearer">Bearer token</option>
            <option value="api-key">API key</option>
          </select>
        </div>
        <div className={styles.grow}>
          <label className={styles.label} htmlFor={`${id}-value`}>
            For {state.origin} alone
          </label>
          <input
            id={`${id}-value`}
            className={styles.input}
            name="value"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
          />
        </div>
        <button type="submit" className={styles.button}>
          Use it
        </button>
      </div>
      <label className={styles.check}>
        <input type="checkbox" name="keep" /> Keep it until this tab is closed
      </label>
    </form>
  );
}

/** The host and the credential of requests, with the forms that change them. */
export function ConnectionBar({
  state,
  connection,
}: {
  state: ConnectionState;
  connection?: Connection | undefined;
}): ReactNode {
  return (
    <div className={styles.connection}>
      {state.refusal !== undefined && (
        <p className={styles.fault} role="alert">
          {state.refusal} Requests go to {state.origin} instead.
        </p>
      )}
      <p className={state.isForeign ? styles.foreign : styles.hint}>
        Requests and samples are for <code className={styles.origin}>{state.origin}</code>
        {state.isForeign && (
          <>
            , which is not the server of this page
            {state.namedBy === 'link' && ': the link that you followed named it'}
          </>
        )}
        .{' '}
        {state.holds === undefined
          ? 'To try calls, sign in here:'
          : `They carry your ${credentialNames[state.holds]} for it.`}
      </p>
      {connection !== undefined && (
        <details className={styles.fold}>
          <summary>Host and credential</summary>
          <HostForm state={state} connection={connection} />
          {state.holds === undefined && <SignInForm state={state} connection={connection} />}
          <CredentialForm state={state} connection={connection} />
        </details>
      )}
    </div>
  );
}
