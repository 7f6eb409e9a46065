import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCopySegment } from './copy-segment.ts';
import type { Source } from './source.ts';

test('a source that has begun to read is closed if the database fails before its bytes are stored', async () => {
  let isClosed = false;
  const source: Pick<Source, 'read'> = {
    async *read() {
      try {
        yield Buffer.from('n\n1\n');
      } finally {
        isClosed = true;
      }
    },
  };
  const deps = {
    files: { put: async () => undefined },
    repository: {},
    turns: {},
    drops: {
      announce: () => Promise.reject(new Error('the database is away')),
      giveUp: async () => undefined,
    },
    readRows: { of: () => ({}), discard: async () => undefined },
    ids: { uuid: () => 'id' },
    secrets: { open: (sealed: string) => sealed, seal: (text: string) => text },
    openSource: async () => ({ source, minimumLabel: null }),
    requireUse: async () => undefined,
    maxUploadBytes: 1000,
  } as unknown as Parameters<typeof createCopySegment>[0];
  const file = { id: 'file', name: 'rows.csv', sealedSource: JSON.stringify({ identity: 'i', place: {} }) };
  const job = { actor: async () => ({}), signal: new AbortController().signal };
  const copied = createCopySegment(deps)(file as never, job as never, { securityLabelInfo: null });
  await assert.rejects(copied, /the database is away/);
  assert.equal(isClosed, true);
});
