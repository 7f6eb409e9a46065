import type { RowsPage, RowsRequest } from '@redoubt/contract';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createRowPages } from './row-pages.ts';

interface Request {
  body: RowsRequest;
  signal: AbortSignal;
  answer: (page: Partial<RowsPage>) => void;
  fail: (error: Error) => void;
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
        fail: reject,
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

const row = (id: string) => ({ id, cells: { note: 'a fox', n: 1 }, cut: [] });

test('what a search matched is marked after all rows in view have arrived, and rows stay if that fails', async () => {
  const { requests, read } = createServer();
  const pages = createRowPages(read, { lucene: 'fox' });
  pages.want(0, 90, ['note', 'n']);
  requests[0]?.answer({ rows: [row('1')], total: 150 });
  await nextTurn();
  equal(requests.length, 2);
  equal(requests[1]?.body.offset, 100);
  requests[1].answer({ rows: [row('2')], total: 150 });
  await nextTurn();
  const places = [
    { field: 'note', path: ['note'], offset: 2, length: 3 },
    { field: 'hidden', path: ['hidden'], offset: 0, length: 3 },
  ];
  deepEqual(requests[2]?.body, {
    lucene: 'fox',
    view: 'v',
    offset: 0,
    limit: 100,
    fields: [],
    highlight: true,
  });
  requests[2].answer({ rows: [{ id: '1', cells: {}, cut: [], highlights: { places, complete: true } }] });
  await nextTurn();
  deepEqual(pages.recordAt(0)?.marks, { note: [{ from: 2, to: 5 }] });
  deepEqual(pages.state().markedFields, ['note']);
  equal(requests[3]?.body.offset, 100);
  requests[3].fail(new Error('no marks'));
  await nextTurn();
  equal(pages.recordAt(100)?.cells['note'], 'a fox');
  equal(pages.state().error, null);
  equal(requests.length, 4);
  pages.close();
});
