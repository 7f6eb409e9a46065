import { rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { startWorkerThread } from './intake-worker-thread.ts';

test('a request to a thread that has ended fails instead of waiting forever', async () => {
  const thread = startWorkerThread();
  await thread.stop();
  await rejects(thread.request({ kind: 'release', body: 1 }), /has ended/);
});
