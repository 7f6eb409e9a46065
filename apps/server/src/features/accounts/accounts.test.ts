/* Shows: F-PATCH-/users/{id}-email, E-Invitation-link, D-patch-own-email, D-reset,
   E-AuthResult-user-changeEmailTokenExpiration, A-mail, A-mail-text, A-links */
import { createSmtpTransport } from '@redoubt/server/testing';
import {
  addMember,
  sendRequest,
  createWorkspace,
  signIn,
  signUp,
  startMailServer,
  type MailServer,
  type ReceivedMail,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let mailServer: MailServer;
let server: TestServer;
before(async () => {
  mailServer = await startMailServer();
  const mail = createSmtpTransport({ url: mailServer.url, from: 'Redoubt <redoubt@example.org>' });
  server = await startServer({ mail, publicUrl: 'https://data.example.org' });
});
after(async () => {
  await server.close();
  await mailServer.close();
});

const send = (path: string, body?: unknown, token?: string) =>
  sendRequest<Record<string, string>>(server, 'POST', path, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
const patch = ({ id, token }: TestPerson, body: object) =>
  sendRequest<Record<string, string>>(server, 'PATCH', `/users/${id}`, { token, body });
const me = (token: string) => sendRequest<{ email: string }>(server, 'GET', '/me', { token });
const authenticate = ({ email, password }: Pick<TestPerson, 'email' | 'password'>) =>
  sendRequest<{ user: { verified: boolean; changeEmailTokenExpiration: string | null } }>(
    server,
    'POST',
    '/authentication',
    { body: { strategy: 'local', email, password } },
  );

/** The mails to an address, without the first `since` mails that the server sent. */
const mailsTo = async (email: string, since = 0): Promise<ReceivedMail[]> => {
  await server.mailSettled();
  return mailServer.mails.slice(since).filter(({ to }) => to.includes(email));
};
const tokenIn = (mail: ReceivedMail, page: string): string | undefined =>
  new RegExp(`^https://data\\.example\\.org/(?:app/)?${page}[/#]([\\w-]+)\\r?$`, 'm').exec(mail.text)?.[1];
/** The token of the newest link to a page in the mails. */
const linkIn = (mails: readonly ReceivedMail[], page: string): string => {
  const token = mails.map((mail) => tokenIn(mail, page)).findLast((found) => found !== undefined);
  assert.ok(token, `a link to ${page} among ${mails.map(({ subject }) => subject).join(', ')}`);
  return token;
};
const linksTo = async (email: string, page: string): Promise<number> =>
  (await mailsTo(email)).filter((mail) => tokenIn(mail, page) !== undefined).length;
/** Advances the clock beyond the shortest time between two links of a kind. */
const aMinuteLater = () => server.runtime.clock.advance(61_000);
const resetLink = async (email: string): Promise<string> => {
  aMinuteLater();
  const since = mailServer.mails.length;
  assert.equal((await send('/password-resets', { email })).status, 201);
  return linkIn(await mailsTo(email, since), 'reset-password');
};

/** Starts a change of address, and returns the tokens of its two links. */
const beginChange = async (person: TestPerson, email: string) => {
  const since = mailServer.mails.length;
  const { status, body } = await patch(person, { email });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['email'], person.email, 'nothing has changed yet');
  return {
    atOld: linkIn(await mailsTo(person.email, since), 'change-email'),
    atNew: linkIn(await mailsTo(email, since), 'change-email'),
  };
};
const confirmChange = (token: string) => send('/email-changes/confirm', { token });

describe('confirming an address', () => {
  test('a new account gets a link that confirms its address, once', async () => {
    const { email, password } = await signUp(server);
    const [mail, ...more] = await mailsTo(email);
    assert.equal(more.length, 0);
    assert.equal(mail?.from, 'redoubt@example.org');
    const token = linkIn(mail === undefined ? [] : [mail], 'verify-email');
    const { status, body } = await send('/email-verifications/confirm', { token });
    assert.deepEqual([status, body], [201, { email, verified: true }]);
    assert.equal((await authenticate({ email, password })).body.user.verified, true);
    assert.equal((await send('/email-verifications/confirm', { token })).status, 404);
  });

  test('only the newest link is valid, none is sent within a minute, and a confirmed address gets none', async () => {
    const person = await signUp(server);
    const first = linkIn(await mailsTo(person.email), 'verify-email');
    assert.equal((await send('/email-verifications', undefined, person.token)).status, 201);
    assert.equal((await mailsTo(person.email)).length, 1, 'within the minute');
    aMinuteLater();
    const { body } = await send('/email-verifications', undefined, person.token);
    assert.deepEqual(body, { email: person.email, validForSeconds: 86_400 });
    const second = linkIn(await mailsTo(person.email), 'verify-email');
    assert.equal((await send('/email-verifications/confirm', { token: first })).status, 404);
    assert.equal((await send('/email-verifications/confirm', { token: second })).status, 201);
    assert.equal((await send('/email-verifications', undefined, person.token)).status, 400);
  });

  test('a link to confirm an address is valid for a day', async () => {
    const { email } = await signUp(server);
    const token = linkIn(await mailsTo(email), 'verify-email');
    server.runtime.clock.advance(24 * 60 * 60 * 1000);
    assert.equal((await send('/email-verifications/confirm', { token })).status, 404);
  });

  test('a link is valid only for its own purpose, and only with its own secret', async () => {
    const { email } = await signUp(server);
    const token = linkIn(await mailsTo(email), 'verify-email');
    const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    for (const wrong of [other, token.slice(0, 16), `${token}x`, 'x'])
      assert.equal((await send('/email-verifications/confirm', { token: wrong })).status, 404, wrong);
    assert.equal((await send('/email-changes/confirm', { token })).status, 404);
    const reset = { token, password: 'a new password' };
    assert.equal((await send('/password-resets/confirm', reset)).status, 404);
    assert.equal((await send('/email-verifications/confirm', { token })).status, 201);
  });
});

describe('changing an address', () => {
  test('an address changes only when both addresses have confirmed the change', async () => {
    for (const order of [
      ['atOld', 'atNew'],
      ['atNew', 'atOld'],
    ] as const) {
      const person = await signUp(server);
      const email = `moved-${person.email}`;
      const links = await beginChange(person, email);
      const { user } = (await authenticate(person)).body;
      assert.ok(user.changeEmailTokenExpiration, 'it is under way');
      assert.equal((await confirmChange(links[order[0]])).status, 201);
      assert.equal((await me(person.token)).body.email, person.email);
      assert.equal((await confirmChange(links[order[0]])).status, 404, 'the same link twice');
      const since = mailServer.mails.length;
      const { body } = await confirmChange(links[order[1]]);
      assert.deepEqual(
        [body['newEmail'], body['confirmedAtOldAddress'], body['confirmedAtNewAddress']],
        [email, true, true],
      );
      assert.equal((await me(person.token)).body.email, email);
      assert.match((await mailsTo(person.email, since)).at(-1)?.text ?? '', new RegExp(email));
      const again = await authenticate({ email, password: person.password });
      assert.deepEqual(
        [again.status, again.body.user.verified, again.body.user.changeEmailTokenExpiration],
        [201, true, null],
      );
      assert.equal((await authenticate(person)).status, 401, 'the old address');
    }
  });

  test('a change of address is withdrawn by sending the present address or another one', async () => {
    const person = await signUp(server);
    const first = await beginChange(person, 'first-choice@example.org');
    const second = await beginChange(person, 'second-choice@example.org');
    for (const token of Object.values(first)) assert.equal((await confirmChange(token)).status, 404);
    assert.equal((await patch(person, { email: person.email })).status, 200);
    for (const token of Object.values(second)) assert.equal((await confirmChange(token)).status, 404);
  });

  test('a link of a change confirms only the address that it was sent to, not one requested later', async () => {
    const person = await signUp(server);
    const links = await beginChange(person, `mine-${person.email}`);
    // Simulates a link that was created while another change replaced this one.
    const changed = await server.db
      .deleteFrom('email_changes')
      .where('account_id', '=', person.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await server.db
      .insertInto('email_changes')
      .values({ ...changed, new_email: 'of-somebody-else@example.org' })
      .execute();
    assert.equal((await confirmChange(links.atOld)).status, 201);
    assert.equal((await confirmChange(links.atNew)).status, 404);
    assert.equal((await me(person.token)).body.email, person.email);
  });

  test('a link to set a password is valid only for the address that it was sent to', async () => {
    const person = await signUp(server);
    const token = await resetLink(person.email);
    await server.db
      .updateTable('accounts')
      .set({ email: `moved-${person.email}` })
      .where('id', '=', person.id)
      .execute();
    assert.equal((await send('/password-resets/confirm', { token, password: 'another one' })).status, 404);
  });

  test('an address that is taken, even meanwhile, cannot be taken again', async () => {
    const [person, other] = [await signUp(server), await signUp(server)];
    const refused = await patch(person, { email: other.email, firstName: 'Not' });
    assert.equal(refused.status, 409);
    const wanted = `wanted-${person.email}`;
    const links = await beginChange(person, wanted);
    await confirmChange(links.atOld);
    const names = { firstName: 'A', lastName: 'B', password: 'a good password' };
    assert.equal((await send('/users', { email: wanted, ...names })).status, 201);
    const { status, body } = await confirmChange(links.atNew);
    assert.equal(status, 409);
    assert.match(body['message'] ?? '', /wanted-/);
    assert.equal((await me(person.token)).body.email, person.email);
  });

  test('changing the password withdraws a change of address, revokes links, and sends a mail to the person', async () => {
    const person = await signUp(server);
    const links = await beginChange(person, `later-${person.email}`);
    const reset = await resetLink(person.email);
    const since = mailServer.mails.length;
    const next = { password: 'another password', currentPassword: person.password };
    assert.equal((await patch(person, next)).status, 200);
    for (const token of Object.values(links)) assert.equal((await confirmChange(token)).status, 404);
    assert.equal(
      (await send('/password-resets/confirm', { token: reset, password: 'not this one' })).status,
      404,
    );
    assert.equal((await mailsTo(person.email, since)).at(-1)?.subject, 'Your password was changed');
  });
});

describe('resetting a password', () => {
  test('a link sets a new password once, and ends every session', async () => {
    const person = await signUp(server);
    const second = await signIn(server, person);
    const token = await resetLink(person.email);
    const password = 'a password after all';
    const responses = await Promise.all(
      [1, 2, 3].map(() => send('/password-resets/confirm', { token, password })),
    );
    assert.deepEqual(responses.map(({ status }) => `${status}`).toSorted(), ['201', '404', '404']);
    for (const old of [person.token, second]) assert.equal((await me(old)).status, 401);
    assert.equal((await authenticate(person)).status, 401);
    const { status, body } = await authenticate({ email: person.email, password });
    assert.deepEqual([status, body.user.verified], [201, true]);
    const last = (await mailsTo(person.email)).at(-1);
    assert.equal(last?.subject, 'Your password was changed');
  });

  test('requesting a reset gives the same response for known and unknown addresses, and sends a mail only to known ones', async () => {
    const { email } = await signUp(server);
    const unknown = `un${email}`;

    const responses = [
      await send('/password-resets', { email }),
      await send('/password-resets', { email: unknown }),
    ];
    const texts = responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`);
    assert.equal(texts[0], texts[1]?.replace(unknown, email));
    assert.equal(await linksTo(email, 'reset-password'), 1);
    assert.equal((await mailsTo(unknown)).length, 0);
    await send('/password-resets', { email });
    assert.equal(await linksTo(email, 'reset-password'), 1, 'a second within the minute');
  });

  test('a link to reset a password is valid for an hour', async () => {
    const { email } = await signUp(server);
    const token = await resetLink(email);
    server.runtime.clock.advance(60 * 60 * 1000);
    const confirmed = await send('/password-resets/confirm', { token, password: 'a good password' });
    assert.equal(confirmed.status, 404);
  });

  test('an admin starts a reset, and only the person gets the link', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    // The welcome mail to the admin may still be on its way.
    await server.mailSettled();
    const since = mailServer.mails.length;
    const path = `/users/${member.id}/password-reset`;
    const { status, body } = await send(path, undefined, workspace.admin.token);
    assert.deepEqual([status, body], [201, { userId: member.id, validForSeconds: 3600 }]);
    const mails = await mailsTo(member.email, since);
    linkIn(mails, 'reset-password');
    assert.equal((await mailsTo(workspace.admin.email, since)).length, 0);
  });

  test('members cannot start a reset for others, and nobody can for people of another workspace', async () => {
    const [workspace, other] = [await createWorkspace(server), await createWorkspace(server)];
    const member = await addMember(server, workspace);
    const path = `/users/${workspace.admin.id}/password-reset`;
    assert.equal((await send(path, undefined, member.token)).status, 403);
    assert.equal((await send(path, undefined, other.admin.token)).status, 404);
  });
});

describe('invitations by mail', () => {
  test('if the server sends mail, only the invited person gets the link', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server);
    const since = mailServer.mails.length;
    const { body } = await send(
      '/users',
      { email: guest.email, firstName: 'Not', lastName: 'Used', password: 'not used at all' },
      workspace.admin.token,
    );
    assert.deepEqual([body['token'], body['link']], [null, null]);
    const token = linkIn(await mailsTo(guest.email, since), 'invite');
    const accepted = await send('/invitations/accept', { token }, guest.token);
    assert.equal(accepted.status, 201);
    assert.equal(accepted.body['workspaceId'], workspace.id);
    assert.equal((await send('/invitations/accept', { token }, guest.token)).status, 404);
  });

  test('names in a mail cannot add lines or headers', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server);
    const name = 'Evil\r\nBcc: other@example.org\n\nhttps://evil.example/';
    await sendRequest(server, 'PATCH', `/workspaces/${workspace.id}`, {
      token: workspace.admin.token,
      body: { name },
    });
    const person = { email: guest.email, firstName: 'N', lastName: 'U', password: 'not used at all' };
    await send('/users', person, workspace.admin.token);
    const mail = (await mailsTo(guest.email)).at(-1);
    assert.ok(mail !== undefined);
    assert.match(mail.text, /"Evil Bcc: other@example.org https:\/\/evil.example\/"/);
    assert.doesNotMatch(mail.raw, /^bcc/im);
    assert.deepEqual(mail.to, [guest.email]);
  });
});

describe('mail that cannot be sent', () => {
  test('an error of the mail server loses neither the change nor the mail', async () => {
    mailServer.refuse(true);
    const since = mailServer.mails.length;
    const { email } = await signUp(server);
    assert.equal((await mailsTo(email, since)).length, 0);
    mailServer.refuse(false);
    server.runtime.clock.advance(2 * 60 * 1000);
    await signUp(server);
    const [mail] = await mailsTo(email, since);
    const token = linkIn(mail === undefined ? [] : [mail], 'verify-email');
    assert.equal((await send('/email-verifications/confirm', { token })).status, 201);
    assert.ok(!server.log.join('').includes(token));
  });
});

describe('a server that sends no mail', () => {
  let silent: TestServer;
  before(async () => {
    silent = await startServer();
  });
  after(() => silent.close());

  test('calls that need mail are 501 without it, and an admin is shown no link to set a password', async () => {
    const workspace = await createWorkspace(silent);
    const member = await addMember(silent, workspace);
    const token = workspace.admin.token;
    const requests: [string, object | undefined, string?][] = [
      ['/email-verifications', undefined, token],
      ['/password-resets', { email: member.email }],
      ['/password-resets', { email: 'nobody@example.org' }],
      [`/users/${member.id}/password-reset`, undefined, token],
    ];
    const messages: string[] = [];
    for (const [path, body, credential] of requests) {
      const response = await sendRequest<{ message: string }>(silent, 'POST', path, {
        ...(body && { body }),
        ...(credential && { token: credential }),
      });
      assert.equal(response.status, 501, path);
      messages.push(response.body.message);
    }
    assert.equal(messages[1], messages[2]);
    for (const message of messages) assert.match(message, /SMTP_URL/);
  });
});
