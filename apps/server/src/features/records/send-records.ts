import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Member } from '../../platform/auth/actor.ts';
import type { ResponseBody } from './response-body.ts';
import { negotiateFormat, mediaTypes } from './response-format.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';
import type { ResponseOptions, RecordsResponse } from './records-response.ts';
import type { RunningQueries } from './running-queries.ts';

/** Sends records in the format that the request prefers. In other formats than JSON, a header states the total. */
export const sendRecords = async (
  request: FastifyRequest,
  reply: FastifyReply,
  respond: (options: ResponseOptions) => Promise<RecordsResponse>,
  cancelled?: AbortSignal,
): Promise<ResponseBody> => {
  const disconnected = createDisconnectSignal(reply);
  const { format, total, body } = await respond({
    format: negotiateFormat(request.headers.accept),
    signal: cancelled === undefined ? disconnected : AbortSignal.any([disconnected, cancelled]),
  });
  reply.type(mediaTypes[format]).header('vary', 'accept');
  if (total !== undefined) reply.header('redoubt-total', String(total));
  return body;
};

/** As `sendRecords`. If the request has a `searchId`, the requester can cancel the query by it while it runs. */
export const sendNamedQuery = async (
  running: RunningQueries,
  {
    actor,
    request,
    reply,
    searchId,
  }: {
    actor: Member;
    request: FastifyRequest;
    reply: FastifyReply;
    searchId: string | null | undefined;
  },
  respond: (options: ResponseOptions) => Promise<RecordsResponse>,
): Promise<ResponseBody> => {
  if (typeof searchId !== 'string') return sendRecords(request, reply, respond);
  return whileNamed(running, actor, searchId, (signal) => sendRecords(request, reply, respond, signal));
};

/** Sends JSON. The work stops when the client disconnects or, if the request has a `searchId`, cancels it. */
export const sendCancellable = async (
  running: RunningQueries,
  { actor, reply, searchId }: { actor: Member; reply: FastifyReply; searchId: string | null | undefined },
  respond: (signal: AbortSignal) => Promise<ResponseBody>,
): Promise<ResponseBody> => {
  const disconnected = createDisconnectSignal(reply);
  reply.type(mediaTypes.json);
  if (typeof searchId !== 'string') return respond(disconnected);
  return whileNamed(running, actor, searchId, (cancelled) =>
    respond(AbortSignal.any([disconnected, cancelled])),
  );
};

const whileNamed = async (
  running: RunningQueries,
  actor: Member,
  searchId: string,
  respond: (signal: AbortSignal) => Promise<ResponseBody>,
): Promise<ResponseBody> => {
  const { signal, end } = await running.start(actor, searchId);
  try {
    const body = await respond(signal);
    if (Buffer.isBuffer(body)) {
      end();
      return body;
    }
    // The response has started, so a cancelled query can only break the connection.
    signal.addEventListener('abort', () => body.destroy(), { once: true });
    body.once('end', end).once('close', end);
    return body;
  } catch (error) {
    end();
    throw error;
  }
};
