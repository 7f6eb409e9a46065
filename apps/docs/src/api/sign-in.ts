import type { Connection } from './connection.ts';
import { sendCall } from './send-call.ts';

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly keep: boolean;
}

const messageOf = (text: string): string => {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : 'The server gave no reason.';
  } catch {
    return 'The server gave no reason.';
  }
};

/**
 * Signs in at the server of the connection, and keeps the token for it.
 * @returns the reason if it fails
 */
export const signIn = async (
  connection: Connection,
  { email, password, keep }: SignInInput,
  browser: Parameters<typeof sendCall>[2],
): Promise<string | undefined> => {
  const { origin } = connection.state();
  const outcome = await sendCall(
    // An existing credential is not sent when signing in.
    { state: connection.state, headersFor: () => ({}) },
    {
      method: 'POST',
      address: `${origin}/authentication`,
      bodyType: 'application/json',
      body: JSON.stringify({ strategy: 'local', email, password }),
      accept: 'application/json',
    },
    browser,
  );
  if (outcome.kind !== 'answer') return `${origin} could not be reached.`;
  if (outcome.status !== 201) return messageOf(outcome.text);
  const { accessToken } = JSON.parse(outcome.text) as { accessToken: string };
  // The reader may have changed the host during the request. Another host must not get the token.
  if (connection.state().origin !== origin) return 'You chose another host while signing in: sign in again.';
  connection.enter('bearer', accessToken, keep);
  return undefined;
};
