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
 * Signs in at the server of the connection, and holds the token for it.
 * @returns why it did not work
 */
export const signIn = async (
  connection: Connection,
  { email, password, keep }: SignInInput,
  browser: Parameters<typeof sendCall>[2],
): Promise<string | undefined> => {
  const { origin } = connection.state();
  const outcome = await sendCall(
    // Whatever credential is held has no part in signing in.
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
  // The reader may have gone to another host meanwhile, which is not to get the token.
  if (connection.state().origin !== origin) return 'You chose another host while signing in: sign in again.';
  connection.enter('bearer', accessToken, keep);
  return undefined;
};
