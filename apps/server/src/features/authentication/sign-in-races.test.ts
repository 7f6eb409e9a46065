import type { AuthenticationResult } from '@redoubt/contract';
import { sendRequest, signUp } from '@redoubt/testkit';
import { startServer } from '@redoubt/server/testing';
import { equal } from 'node:assert/strict';
import { test } from 'node:test';

test('a sign-in with the old password does not survive a concurrent change of the password', async () => {
  const server = await startServer();
  try {
    const { id, email, password, token } = await signUp(server);
    const signIn = () =>
      sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
        body: { strategy: 'local', email, password },
      });
    const changing = { isDone: false };
    const change = sendRequest(server, 'PATCH', `/users/${id}`, {
      token,
      body: { password: 'another good password', currentPassword: password },
    }).finally(() => (changing.isDone = true));
    // Four loops of sign-ins, so that some of them are running at every moment of the change.
    const tokens: string[] = [];
    const signInAgain = async (): Promise<void> => {
      while (!changing.isDone) {
        const { status, body } = await signIn();
        if (status === 201) tokens.push(body.accessToken);
      }
    };
    await Promise.all([signInAgain(), signInAgain(), signInAgain(), signInAgain()]);
    equal((await change).status, 200);
    for (const each of tokens) equal((await sendRequest(server, 'GET', '/me', { token: each })).status, 401);
    equal((await sendRequest(server, 'GET', '/me', { token })).status, 200);
  } finally {
    await server.close();
  }
});
