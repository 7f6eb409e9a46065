/* Shows: A-mail-worlds */
import { createSmtpTransport } from '@redoubt/server/testing';
import { startMailServer, type MailServer } from '@redoubt/testkit';
import { startTwoWorlds, type TwoWorlds } from '@redoubt/server/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addMember, createWorkspace, signInRequest, signUp, type Person } from '@redoubt/testkit/requests';
import { as, done, type WireResponse, type Request, type Send } from '@redoubt/testkit/requests';

const site = 'http://one-of-two.example';
const post = (path: string, body?: unknown): Request => ({ method: 'POST', path, body });
const newPassword = 'another password, long enough';
const confirm = (token: string): Request => post('/email-verifications/confirm', { token });
const reset = (token: string): Request => post('/password-resets/confirm', { token, password: newPassword });

describe('two worlds that send mail', () => {
  let posts: [MailServer, MailServer];
  let worlds: TwoWorlds;
  let people: { admin: Person; reader: Person; loner: Person };
  let hider: Person;
  before(async () => {
    posts = [await startMailServer(), await startMailServer()];
    const [mail, other] = posts.map(({ url }) =>
      createSmtpTransport({ url, from: 'Redoubt <redoubt@example.org>' }),
    );
    ok(mail !== undefined && other !== undefined);
    worlds = await startTwoWorlds({ mail, publicUrl: site }, { mail: other });
    people = await worlds.both('people', async (send) => {
      const admin = await signUp(send, 'admin');
      const { id } = await createWorkspace(send, admin, 'harbour');
      return {
        admin,
        reader: await addMember(send, admin, id, 'reader'),
        loner: await signUp(send, 'loner'),
      };
    });
    // A person of another workspace, who has requested links of each kind.
    hider = await worlds.hidden('hider', async (send) => {
      const person = await signUp(send, 'hider');
      await createWorkspace(send, person, 'hideout');
      await done(send, post('/password-resets', { email: person.email }));
      await done(send, as(person).patch(`/users/${person.id}`, { email: 'wanted@example.org' }));
      return person;
    });
  });
  after(async () => {
    await worlds.close();
    for (const server of posts) await server.close();
  });

  /** The token of the newest link of this kind that was mailed to an address in one of the worlds. */
  const linkTo = (isSecond: boolean, email: string, page: string): string => {
    const link = new RegExp(`${site}/${page}#([\\w-]+)`);
    const mails = posts[isSecond ? 1 : 0].mails.filter(({ to }) => to.includes(email));
    const token = mails.map(({ text }) => link.exec(text)?.[1]).findLast((found) => found !== undefined);
    ok(token !== undefined, `no link to ${page} for ${email}`);
    return token;
  };
  /** The mails to an address that were not for the hidden person, without their tokens, which are random. */
  const readBy = (isSecond: boolean, email: string): string[] =>
    posts[isSecond ? 1 : 0].mails
      .filter(({ to, text }) => to.includes(email) && !text.includes('Hello Hider'))
      .map(({ subject, text }) => `${subject}\n${text.replaceAll(/(example\/[\w-]+\/)[\w-]+/g, '$1TOKEN')}`);
  /** Waits until another link of the same kind may be sent. Each step advances the clock by ten seconds. */
  const aMinuteLater = async (): Promise<void> => {
    for (let step = 0; step < 7; step++)
      await worlds.same(`wait ${step}`, { method: 'GET', path: '/health' });
  };
  /**
   * Runs a step in both worlds, each with the links of its own mails. Removes milliseconds from the responses, because
   * the test clock advances at each reading, and the sending of mail reads it at unpredictable times.
   */
  const both = (
    step: string,
    act: (send: Send, isSecond: boolean) => Promise<WireResponse>,
  ): Promise<WireResponse> =>
    worlds.both(step, async (send, isSecond) => {
      const response = await act(send, isSecond);
      return { ...response, body: response.body.replaceAll(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1Z') };
    });
  const compareMails = (...emails: string[]): void => {
    for (const email of emails) {
      const mails = readBy(false, email);
      ok(mails.length > 0, email);
      deepEqual(readBy(true, email), mails);
    }
  };

  test('confirming an address gets the same response, whether or not other people have open links', async () => {
    const { loner } = people;
    await aMinuteLater();
    const response = await both('ask', (send) =>
      send({ ...as(loner).post('/email-verifications', undefined) }),
    );
    equal(response.status, 201, response.body);
    const confirmed = await both('confirm', (send, isSecond) =>
      send(confirm(linkTo(isSecond, loner.email, 'verify-email'))),
    );
    equal(confirmed.status, 201, confirmed.body);
    const again = await both('confirm again', (send, isSecond) =>
      send(confirm(linkTo(isSecond, loner.email, 'verify-email'))),
    );
    equal(again.status, 404);
    compareMails(loner.email);
  });

  test('a change of address gets the same response, even if somebody else is changing to that address', async () => {
    const { reader } = people;
    for (const email of ['wanted@example.org', 'other@example.org']) {
      const response = await both(`change to ${email}`, (send) =>
        send(as(reader).patch(`/users/${reader.id}`, { email })),
      );
      equal(response.status, 200, response.body);
      await aMinuteLater();
    }
    for (const at of [reader.email, 'other@example.org']) {
      const confirmed = await both(`confirm at ${at}`, (send, isSecond) =>
        send(post('/email-changes/confirm', { token: linkTo(isSecond, at, 'change-email') })),
      );
      equal(confirmed.status, 201, confirmed.body);
    }
    equal((await both('me', (send) => send(as(reader).get('/me')))).status, 200);
    compareMails(reader.email, 'wanted@example.org', 'other@example.org');
  });

  test('a password reset gets the same response, whether or not the account exists', async () => {
    const { admin, loner, reader } = people;
    for (const email of [hider.email, 'nobody@example.org', loner.email]) {
      const response = await both(`reset ${email}`, (send) => send(post('/password-resets', { email })));
      equal(response.status, 201, response.body);
    }
    const confirmed = await both('set', (send, isSecond) =>
      send(reset(linkTo(isSecond, loner.email, 'reset-password'))),
    );
    equal(confirmed.status, 201, confirmed.body);
    const signedIn = await both('sign in', (send) =>
      send(signInRequest({ email: loner.email, password: newPassword })),
    );
    equal(signedIn.status, 201);
    for (const [id, status] of [
      [reader.id, 201],
      [hider.id, 404],
      ['unknown', 404],
    ] as const) {
      const started = await both(`reset for ${id}`, (send) =>
        send({ ...as(admin).post(`/users/${id}/password-reset`, undefined) }),
      );
      equal(started.status, status, started.body);
    }
    const used = await both('set by the admin', (send, isSecond) =>
      send(reset(linkTo(isSecond, 'other@example.org', 'reset-password'))),
    );
    equal(used.status, 201, used.body);
    compareMails(loner.email, 'other@example.org');
  });
});
