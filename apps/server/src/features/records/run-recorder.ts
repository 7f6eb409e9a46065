import type { QueryRun } from '@redoubt/contract';
import type { FastifyRequest } from 'fastify';
import { pipeline, Transform, type Readable } from 'node:stream';
import type { Member } from '../../platform/auth/actor.ts';
import { namesSession } from '../../platform/http/session-cookie.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ResponseBody } from './response-body.ts';
import { QueryCancelledError } from './running-queries.ts';

/** Where runs of the console are kept for the person who made them. */
export interface RecordedRuns {
  add(
    actor: Member,
    run: Pick<QueryRun, 'text' | 'status' | 'rows' | 'milliseconds'> & { startedAt: Date },
  ): Promise<void>;
}

export interface RunRecorder {
  /**
   * Sends a response and, if the request comes from the console, keeps its text, result and duration.
   * @param send calls its argument with the number of rows when the response is complete
   */
  whileRecorded(
    actor: Member,
    request: FastifyRequest,
    text: string,
    send: (onComplete: (rows: number) => void) => Promise<ResponseBody>,
  ): Promise<ResponseBody>;
}

/**
 * Durations are rounded to this many milliseconds. A more precise duration would disclose more about hidden records
 * than the response time that a client can measure.
 */
const precision = 100;

/**
 * Passes a stream on in the same chunks.
 * @param store called once when the stream has ended or was cut off; the returned stream ends only after it
 */
const endAfter = (body: Readable, store: () => Promise<void>): Readable => {
  let stored: Promise<void> | undefined;
  const finish = async (done: () => void): Promise<void> => {
    await (stored ??= store());
    done();
  };
  const passed = new Transform({
    // The first chunk may be empty, and must come at once.
    objectMode: true,
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void finish(done),
  });
  pipeline(body, passed, () => void (stored ??= store()));
  return passed;
};

export const createRunRecorder = ({ runs, clock }: { runs: RecordedRuns; clock: Clock }): RunRecorder => ({
  whileRecorded: async (actor, request, text, send) => {
    if (!namesSession(request)) return send(() => undefined);
    const startedAt = clock.now();
    let rows: number | null = null;
    const end = async (status: QueryRun['status']): Promise<void> => {
      const elapsed = Math.max(0, clock.now().getTime() - startedAt.getTime());
      const milliseconds = Math.round(elapsed / precision) * precision;
      // A history that cannot be written must not fail the query.
      await runs.add(actor, { text, status, rows, milliseconds, startedAt }).catch(() => undefined);
    };
    try {
      const body = await send((count) => {
        rows = count;
      });
      if (!Buffer.isBuffer(body)) return endAfter(body, () => end(rows === null ? 'canceled' : 'completed'));
      await end('completed');
      return body;
    } catch (error) {
      await end(error instanceof QueryCancelledError ? 'canceled' : 'failed');
      throw error;
    }
  },
});
