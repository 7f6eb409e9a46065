/* Shows: D-signup-invited, D-signup-closed, E-User-password, X-ForbiddenError, L-hazard-password,
   A-argon2id */
import type { AuditStore } from '@redoubt/records';
import { acquireTestDatabase, createTestRuntime, type TestDatabase } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAuditLog } from '../../platform/audit/index.ts';
import { createSecretBox } from '../../platform/secrets/index.ts';
import { ownSessionCredential, type Member } from '../../platform/auth/actor.ts';
import { createLogger } from '../../platform/log/logger.ts';
import { createSubscriptionStates } from '../../platform/subscriptions/subscription-states.ts';
import { createMailQueue } from '../../platform/mail/index.ts';
import { createPasswords } from '../../platform/auth/passwords.ts';
import type { SignUp } from '../../platform/config/index.ts';
import { createInvitationService } from '../invitations/index.ts';
import { createUserCreation } from './user-creation.ts';

let database: TestDatabase;
const runtime = createTestRuntime();
const admin: Member = {
  accountId: 'admin',
  email: 'admin@example.org',
  sessionId: 'session',
  workspace: { uniqueId: 'uid', slug: 'acme', role: 'admin', codes: new Set() },
  ...ownSessionCredential,
};

before(async () => {
  database = await acquireTestDatabase();
  const now = runtime.clock.now();
  await database.db
    .insertInto('workspaces')
    .values({
      unique_id: 'uid',
      slug: 'acme',
      name: 'Acme',
      created_by: 'admin',
      create_attributes_on_write: true,
      created_at: now,
      updated_at: now,
    })
    .execute();
});
after(() => database.giveBack());

/** The platform with a real audit log, whose events these tests do not check. */
const unusedStore = {} as AuditStore;

const platform = () => ({
  db: database.db,
  audit: createAuditLog({
    ...runtime,
    db: database.db,
    store: unusedStore,
    secrets: createSecretBox({ keys: () => [], random: runtime.random }),
    logger: createLogger('silent'),
  }),
  runtime,
  mail: createMailQueue({ db: database.db, transport: undefined, runtime, logger: createLogger('silent') }),
  publicUrl: () => 'https://data.example.org',
  subscriptions: createSubscriptionStates(database.db, false),
});

const invitationsWith = (signUp: SignUp) =>
  createInvitationService({ ...platform(), passwords: createPasswords(runtime), signUp });

const createWith = (signUp: SignUp) =>
  createUserCreation({
    ...platform(),
    passwords: createPasswords(runtime),
    invitations: invitationsWith(signUp),
    signUp,
  });

const origin = { ip: '192.0.2.1', requestId: 'r' };
const guest = (email: string) => ({ email, firstName: 'G', lastName: 'Uest', password: 'a good password' });

test('only the argon2id hash of a password is stored, with its own salt', async () => {
  const people = [guest('one@example.org'), guest('two@example.org')];
  for (const person of people) await createWith('open')(undefined, person, origin);
  const rows = await database.db
    .selectFrom('accounts')
    .selectAll()
    .where(
      'email',
      'in',
      people.map(({ email }) => email),
    )
    .execute();
  const hashes = rows.map((row) => row.password_hash ?? '');
  assert.equal(new Set(hashes).size, 2);
  for (const hash of hashes) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{24}\$[^$]{44}$/);
  assert.ok(!JSON.stringify(rows).includes(guest('').password));
});

describe('who may create an account', () => {
  test('if sign-up is for invited people only, an admin can still add people', async () => {
    const made = await createWith('invited')(admin, guest('invited@example.org'), origin);
    assert.equal(made.workspaceId, 'acme');
    assert.ok(!('token' in made));
  });

  test('unless sign-up is open, a visitor gets the same error for every address', async () => {
    await createWith('open')(undefined, guest('taken@example.org'), origin);
    for (const signUp of ['invited', 'closed'] as const) {
      const messages: string[] = [];
      for (const email of ['taken@example.org', 'free@example.org']) {
        await assert.rejects(createWith(signUp)(undefined, guest(email), origin), (error: Error) => {
          messages.push(error.message);
          return error.name === 'ForbiddenError';
        });
      }
      assert.equal(messages[0], messages[1]);
    }
  });

  test('if sign-up is closed, even an admin cannot create accounts, but can invite people who have one', async () => {
    await assert.rejects(createWith('closed')(admin, guest('closed@example.org'), origin), {
      name: 'ForbiddenError',
      message: /closed@example\.org/,
    });
    const stranger = createWith('open')(undefined, guest('known@example.org'), origin);
    assert.equal((await stranger).workspaceId, null);
    const invited = await createWith('closed')(admin, guest('known@example.org'), origin);
    assert.ok('token' in invited);
    await assert.rejects(invitationsWith('closed').create(admin, { email: 'closed@example.org' }), {
      name: 'ForbiddenError',
      message: /closed@example\.org/,
    });
    assert.ok((await invitationsWith('closed').create(admin, { email: 'Known@example.org' })).token !== null);
    assert.ok((await invitationsWith('invited').create(admin, { email: 'new@example.org' })).token !== null);
  });
});
