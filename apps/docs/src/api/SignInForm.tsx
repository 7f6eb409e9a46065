import { useId, useState, type FormEvent, type ReactNode } from 'react';
import styles from './api.module.css';
import type { Connection, ConnectionState } from './connection.ts';
import { signIn } from './sign-in.ts';

interface SignInProps {
  readonly state: ConnectionState;
  readonly connection: Connection;
}

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};

/** Signs the reader in with email and password, and keeps the token for the host that is shown. */
export function SignInForm({ state, connection }: SignInProps): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  // A link may name any host. Passwords are only asked for on a host that the reader has chosen.
  if (state.isForeign && state.namedBy === 'link') {
    return (
      <p className={styles.hint}>
        To sign in with a password at {state.origin}, enter this host yourself above.
      </p>
    );
  }

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setSending(true);
    setProblem(undefined);
    const input = {
      email: textOf(data, 'email').trim(),
      password: textOf(data, 'password'),
      keep: data.get('keep') !== null,
    };
    setProblem(
      await signIn(connection, input, { fetch: window.fetch.bind(window), now: () => performance.now() }),
    );
    setSending(false);
  };

  return (
    <form key={state.origin} className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className={styles.row}>
        <div className={styles.grow}>
          <label className={styles.label} htmlFor={`${id}-email`}>
            Email
          </label>
          <input
            id={`${id}-email`}
            className={styles.input}
            name="email"
            type="email"
            autoComplete="username"
            placeholder="ada@demo.example"
            required
          />
        </div>
        <div className={styles.grow}>
          <label className={styles.label} htmlFor={`${id}-password`}>
            Password
          </label>
          <input
            id={`${id}-password`}
            className={styles.input}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        </div>
        <button type="submit" className={styles.primary} disabled={isSending}>
          {isSending ? 'Signing in…' : 'Sign in'}
        </button>
      </div>
      <label className={styles.check}>
        <input type="checkbox" name="keep" /> Stay signed in until this tab is closed
      </label>
      {problem !== undefined && (
        <p className={styles.fault} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.hint}>
        Started with <code>npm run up -- --demo</code>? The passwords of Ada, Ben and Alex are in{' '}
        <code>data/demo.txt</code>.
      </p>
    </form>
  );
}
