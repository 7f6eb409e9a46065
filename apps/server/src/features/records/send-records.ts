import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Member } from '../../platform/auth/actor.ts';
import type { ResponseBody } from './response-body.ts';
import { negotiateFormat, mediaTypes } from './response-format.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';
import type { ResponseOptions, RecordsResponse } from './records-response.ts';
import type { RunningQueries } from './running-queries.ts';

/** Answers in the format that the request prefers, and says beside other formats than JSON how many records there are. */
export const sendRecords = async (
  request: FastifyRequest,
  reply: FastifyReply,
  give: (how: ResponseOptions) => Promise<RecordsResponse>,
  stopped?: AbortSignal,
): Promise<ResponseBody> => {
  const gone = createDisconnectSignal(reply);
  const { format, total, body } = await give({
    format: negotiateFormat(request.headers.accept),
    signal: stopped === undefined ? gone : AbortSignal.any([gone, stopped]),
  });
  reply.type(mediaTypes[format]).header('vary', 'accept');
  if (total !== undefined) reply.header('redoubt-total', String(total));
  return body;
};

/** The same for a query that its asker may have named, to cancel it by that name for as long as it runs. */
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
  give: (how: ResponseOptions) => Promise<RecordsResponse>,
): Promise<ResponseBody> => {
  if (typeof searchId !== 'string') return sendRecords(request, reply, give);
  return whileNamed(running, actor, searchId, (signal) => sendRecords(request, reply, give, signal));
};

/** An answer in JSON, whose asker may go away, or cancel it by the name that they gave it. */
export const sendCancellable = async (
  running: RunningQueries,
  { actor, reply, searchId }: { actor: Member; reply: FastifyReply; searchId: string | null | undefined },
  give: (signal: AbortSignal) => Promise<ResponseBody>,
): Promise<ResponseBody> => {
  const gone = createDisconnectSignal(reply);
  reply.type(mediaTypes.json);
  if (typeof searchId !== 'string') return give(gone);
  return whileNamed(running, actor, searchId, (stopped) => give(AbortSignal.any([gone, stopped])));
};

const whileNamed = async (
  running: RunningQueries,
  actor: Member,
  searchId: string,
  give: (signal: AbortSignal) => Promise<ResponseBody>,
): Promise<ResponseBody> => {
  const { signal, end } = await running.start(actor, searchId);
  try {
    const body = await give(signal);
    if (Buffer.isBuffer(body)) {
      end();
      return body;
    }
    // A reader who stops taking rows is answered by a broken connection: the answer has begun.
    signal.addEventListener('abort', () => body.destroy(), { once: true });
    body.once('end', end).once('close', end);
    return body;
  } catch (fault) {
    end();
    throw fault;
  }
};
