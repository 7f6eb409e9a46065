import { equal, notEqual, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RowsPage } from '@redoubt/contract';
import { startTwoWorlds, type TwoWorlds } from '@redoubt/server/testing';
import {
  addMember,
  as,
  bodyOf,
  createAccessMakers,
  createWorkspace,
  done,
  signInRequest,
  signUp,
  type Person,
  type Send,
  type WireResponse,
} from '@redoubt/testkit/requests';
import { sequence } from './cases/reading.ts';
import { writeRequest } from './records.ts';

/** Longer than what a connection buffers. */
const records = Array.from({ length: 200 }, (_, n) => `{"n":${String(n)},"text":"${'x'.repeat(100_000)}"}`);

const labelsOf = (columns: readonly string[]): Record<string, { securityLabel: string }> =>
  Object.fromEntries(columns.map((column) => [column, { securityLabel: 'SECRET' }]));

const viewOf = (page: WireResponse): string => {
  const { view } = bodyOf(page) as RowsPage;
  ok(view !== null);
  return view;
};

const longName = (n: number): string => `${'y'.repeat(990)}${String(n)}`;

describe('two worlds whose column labels change', () => {
  let worlds: TwoWorlds;
  let admin: Person;
  let reader: Person;
  let workspaceId: string;
  let dataset: string;
  before(async () => {
    worlds = await startTwoWorlds();
    ({ admin, reader, workspaceId, dataset } = await worlds.both('people', async (send) => {
      const admin = await signUp(send, 'admin');
      const { id: workspaceId } = await createWorkspace(send, admin, 'labels');
      const make = createAccessMakers(send, admin, workspaceId);
      const group = await make.group('Readers');
      const reader = await addMember(send, admin, workspaceId, 'reader');
      await make.member(group, reader);
      await make.attribute('SECRET');
      const dataset = await make.dataset('changes');
      await make.permission('read', dataset, group);
      return { admin, reader, workspaceId, dataset };
    }));
    for (let from = 0; from < records.length; from += 50)
      await worlds.both(`records ${String(from)}`, (send) =>
        done(send, writeRequest(admin, dataset, records.slice(from, from + 50), null)),
      );
    await worlds.hidden('a record', (send) =>
      done(send, writeRequest(admin, dataset, ['{"label":"SECRET","ghost":{"inner":1},"n":1}'])),
    );
  });
  after(() => worlds.close());

  const label = (send: Send, ...columns: string[]): Promise<unknown> =>
    done(send, as(admin).patch(`/write/schema/${dataset}`, labelsOf(columns)));
  const rows = (token: string, view?: string) =>
    as({ token }).post(`/datasets/${dataset}/rows`, {
      limit: 1,
      fields: ['n'],
      ...(view === undefined ? {} : { view }),
    });
  test('L35: a label on a column of hidden records ends no response', async () => {
    const request = sequence(reader, dataset, { batchSize: -1 });
    const whole = await worlds.during('a long read', request, (send) => label(send, 'ghost.inner', 'absent'));
    ok(whole !== undefined);
    await worlds.both('a label on a visible column', async (send, isSecond) => {
      if (isSecond) await label(send, 'ghost');
      await done(send, as(admin).patch(`/write/schema/${dataset}`, { other: { securityLabel: 'SECRET' } }));
    });
    await worlds.same('the records', sequence(reader, dataset, { batchSize: 3 }));
  });

  test('L35: a label on a column of hidden records drops no view', async () => {
    const opened = viewOf(await worlds.same('a view', rows(reader.token)));
    await worlds.hidden('labels', (send) => label(send, 'phantom', 'ghost.inner.x', 'ghost'));
    equal(viewOf(await worlds.same('the view', rows(reader.token, opened))), opened);
    await worlds.both('a label on a visible column', (send) => label(send, 'text'));
    notEqual(viewOf(await worlds.same('another view', rows(reader.token, opened))), opened);
  });

  test('L38: the names of hidden columns take nothing of a share of views', async () => {
    for (const from of [0, 1000])
      await worlds.hidden(`names ${String(from)}`, (send) =>
        label(send, ...Array.from({ length: 900 }, (_, n) => longName(from + n))),
      );
    const sessions = await worlds.both('sessions', async (send) => {
      const tokens: string[] = [];
      for (let session = 0; session < 4; session++)
        tokens.push(
          (await done<{ accessToken: string }>(send, signInRequest(reader, workspaceId))).accessToken,
        );
      return tokens;
    });
    const views: [token: string, view: string][] = [];
    for (const [session, token] of sessions.entries()) {
      for (let turn = 0; turn < 4; turn++)
        views.push([
          token,
          viewOf(await worlds.same(`view ${String(session)} ${String(turn)}`, rows(token))),
        ]);
    }
    for (const [index, [token, view]] of views.entries())
      equal(viewOf(await worlds.same(`again ${String(index)}`, rows(token, view))), view);
  });
});
