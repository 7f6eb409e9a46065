import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import { isGeneratedPython } from '../../platform/http/generated-python.ts';
import { sendNamedQuery, sendRecords, sendCancellable } from './send-records.ts';
import type { ColumnSecurityService } from './column-security.service.ts';
import type { DocumentService } from './document.service.ts';
import type { RangeService } from './range-read.service.ts';
import { attachmentHeaders, type ExportService } from './export.service.ts';
import type { ReadService } from './read.service.ts';
import type { ProfileService } from './profile.service.ts';
import type { RowsService } from './rows.service.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';
import type { RunningQueries } from './running-queries.ts';
import type { RunRecorder } from './run-recorder.ts';
import { toSplitsResponse } from './splits-response.ts';
import type { SqlService } from './sql.service.ts';
import type { SummaryService } from './summary.service.ts';
import type { WriteService } from './write.service.ts';

export const createRecordRoutes = ({
  write,
  columns,
  read,
  range,
  sql,
  summaries,
  documents,
  rows,
  profiles,
  running,
  history,
  exports,
}: {
  write: WriteService;
  columns: ColumnSecurityService;
  read: ReadService;
  range: RangeService;
  sql: SqlService;
  summaries: SummaryService;
  documents: DocumentService;
  rows: RowsService;
  profiles: ProfileService;
  running: RunningQueries;
  history: RunRecorder;
  exports: ExportService;
}): RouteBinding[] => [
  bindMember(routes.writeRecords, ({ actor, params, bytes }) =>
    write.write(actor, params.datasetId, bytes, 'array'),
  ),
  bindMember(routes.writeRecordsV2, ({ actor, params, bytes }) =>
    write.write(actor, params.datasetId, bytes, 'envelope'),
  ),
  bindMember(routes.patchColumnSecurity, ({ actor, params, bytes }) =>
    columns.change(actor, params.datasetId, bytes),
  ),
  bindMember(routes.listColumnLabels, ({ actor, params }) => columns.list(actor, params.id)),
  bindMember(routes.query, ({ actor, body, query, request, reply }) =>
    history.whileRecorded(actor, request, body.expression, (onComplete) =>
      sendNamedQuery(running, { actor, request, reply, searchId: body.searchId }, (options) =>
        sql.query(actor, { ...query, ...body }, { ...options, onComplete }),
      ),
    ),
  ),
  bindMember(routes.queryLucene, ({ actor, body, query, request, reply }) =>
    sendNamedQuery(running, { actor, request, reply, searchId: body.searchId }, (options) =>
      read.search(actor, { ...query, ...body }, options),
    ),
  ),
  bindMember(routes.queryDocuments, ({ actor, body, query, reply }) =>
    sendCancellable(running, { actor, reply, searchId: body.searchId }, async (signal) => {
      const response = await documents.sql(actor, { ...query, ...body }, signal);
      return response.body;
    }),
  ),
  bindMember(routes.queryDocumentsLucene, ({ actor, body, query, reply }) =>
    sendCancellable(running, { actor, reply, searchId: body.searchId }, async (signal) => {
      const response = await documents.search(actor, { ...query, ...body }, signal);
      return response.body;
    }),
  ),
  bindMember(routes.summarizeSql, ({ actor, body, reply }) =>
    sendCancellable(running, { actor, reply, searchId: body.searchId }, (signal) =>
      summaries.sql(actor, body, signal),
    ),
  ),
  bindMember(routes.summarizeLucene, ({ actor, body, reply }) =>
    sendCancellable(running, { actor, reply, searchId: body.searchId }, (signal) =>
      summaries.search(actor, body, signal),
    ),
  ),
  bindMember(routes.readRows, ({ actor, params, body, reply }) =>
    sendCancellable(running, { actor, reply, searchId: undefined }, (signal) =>
      rows.read(actor, params.id, body, signal),
    ),
  ),
  bindMember(routes.profileFields, ({ actor, params, body, reply }) =>
    sendCancellable(running, { actor, reply, searchId: undefined }, (signal) =>
      profiles.profiles(actor, params.id, body, signal),
    ),
  ),
  bindMember(routes.listValues, ({ actor, params, body, reply }) =>
    sendCancellable(running, { actor, reply, searchId: undefined }, (signal) =>
      profiles.values(actor, params.id, body, signal),
    ),
  ),
  bindMember(routes.cancelQuery, async ({ actor, params }) => {
    await running.cancel(actor, params.searchId);
    return params;
  }),
  bindMember(routes.readInSequence, ({ actor, body, query, request, reply }) =>
    sendRecords(request, reply, (options) => range.sequence(actor, { ...query, ...body }, options)),
  ),
  bindMember(routes.readRange, ({ actor, body, query, request, reply }) =>
    sendRecords(request, reply, (options) => range.range(actor, { ...query, ...body }, options)),
  ),
  bindMember(routes.getSplits, async ({ actor, params, request, reply }) =>
    toSplitsResponse(
      isGeneratedPython(request),
      await range.splits(actor, params, createDisconnectSignal(reply)),
    ),
  ),
  bindMember(routes.createExport, ({ actor, body }) => exports.create(actor, body)),
  bindMember(routes.downloadExport, async ({ actor, params, reply }) => {
    const { format, fileName, body } = await exports.download(
      actor,
      params.token,
      createDisconnectSignal(reply),
    );
    reply.headers(attachmentHeaders(format, fileName));
    return body;
  }),
  bindMember(routes.getDatasetSchema, ({ actor, query }) => read.schema(actor, query)),
];
