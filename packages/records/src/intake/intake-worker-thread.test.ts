import { rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { startWorkerThread } from './intake-worker-thread.ts';

test('whoever asks a thread that has ended is told so, and does not wait for ever', async () => {
  const thread = startWorkerThread();
  await thread.stop();
  await rejects(thread.ask({ kind: 'release', body: 1 }), /has ended/);
});
