import { routes } from '@redoubt/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import { answerFormatOf, mediaTypes } from './answer-format.ts';
import type { RangeService } from './range.service.ts';
import type { ReadService } from './read.service.ts';
import type { AnswerWish, RecordsAnswer } from './records-answer.ts';
import type { SqlService } from './sql.service.ts';
import type { WriteService } from './write.service.ts';

/** Aborted when the reader goes away before the answer has ended. */
const untilGone = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  cutWhenStalled(reply);
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
};

/** A reader who takes nothing of a waiting answer for so long is taken to be gone, since an answer holds an engine connection. */
const stalledMilliseconds = 30_000;

const cutWhenStalled = (reply: FastifyReply): void => {
  const { socket } = reply.raw;
  if (socket === null) return;
  let takenBefore = -1;
  const timer = setInterval(() => {
    const taken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && taken === takenBefore) socket.destroy();
    takenBefore = taken;
  }, stalledMilliseconds).unref();
  reply.raw.once('close', () => clearInterval(timer));
};

/** Answers in the format that the request prefers, and says beside other formats than JSON how many records there are. */
const answer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  give: (how: AnswerWish) => Promise<RecordsAnswer>,
): Promise<NodeJS.ReadableStream> => {
  const { format, total, body } = await give({
    format: answerFormatOf(request.headers.accept),
    signal: untilGone(reply),
  });
  reply.type(mediaTypes[format]).header('vary', 'accept');
  if (format !== 'json') reply.header('redoubt-total', String(total));
  return body;
};

export const createRecordRoutes = (
  write: WriteService,
  read: ReadService,
  range: RangeService,
  sql: SqlService,
): RouteBinding[] => [
  bindMember(routes.writeRecords, ({ actor, params, bytes }) =>
    write.write(actor, params.datasetId, bytes, 'array'),
  ),
  bindMember(routes.writeRecordsV2, ({ actor, params, bytes }) =>
    write.write(actor, params.datasetId, bytes, 'envelope'),
  ),
  bindMember(routes.query, ({ actor, body, query, request, reply }) =>
    answer(request, reply, (how) => sql.query(actor, { ...query, ...body }, how)),
  ),
  bindMember(routes.queryLucene, ({ actor, body, query, request, reply }) =>
    answer(request, reply, (how) => read.search(actor, { ...query, ...body }, how)),
  ),
  bindMember(routes.readInSequence, ({ actor, body, query, request, reply }) =>
    answer(request, reply, (how) => range.sequence(actor, { ...query, ...body }, how)),
  ),
  bindMember(routes.readRange, ({ actor, body, query, request, reply }) =>
    answer(request, reply, (how) => range.range(actor, { ...query, ...body }, how)),
  ),
  bindMember(routes.getSplits, ({ actor, params, reply }) => range.splits(actor, params, untilGone(reply))),
  bindMember(routes.getDatasetSchema, ({ actor, query }) => read.schema(actor, query)),
];
