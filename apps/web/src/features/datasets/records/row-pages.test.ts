import type { RowsPage, RowsRequest } from '@redoubt/contract';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createRowPages } from './row-pages.ts';

interface Request {
  body: RowsRequest;
  signal: AbortSignal;
  answer: (page: Partial<RowsPage>) => void;
}

/** A server whose responses the test supplies. */
const createServer = () => {
  const requests: Request[] = [];
  const read = (body: RowsRequest, signal: AbortSignal): Promise<RowsPage> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      requests.push({
        body,
        signal,
        answer: (page) => resolve({ rows: [], view: 'v', stale: false, total: 1000, ...page }),
      });
    });
  return { requests, read };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

test('rows with other fields are requested although the first request has no response yet', async () => {
  const { requests, read } = createServer();
  const pages = createRowPages(read, {});
  pages.want(0, 10, ['a']);
  pages.want(0, 10, ['b']);
  await nextTurn();
  deepEqual(
    requests.map(({ body, signal }) => [body.fields, signal.aborted]),
    [
      [['a'], true],
      [['b'], false],
    ],
  );
  requests[1]?.answer({ rows: [{ id: '1', cells: { b: 7 }, cut: [] }] });
  await nextTurn();
  equal(pages.recordAt(0)?.cells['b'], 7);
  equal(pages.state().error, null);
  pages.close();
});
