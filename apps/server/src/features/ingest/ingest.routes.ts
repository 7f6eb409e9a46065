import { routes, type IngestOptions } from '@redoubt/contract';
import type { Member } from '../../platform/auth/actor.ts';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import { partsOf } from '../../platform/http/multipart/multipart.ts';
import { createDisconnectSignal } from '../records/index.ts';
import type { IngestService } from './ingest.service.ts';
import type { ReceiptService } from './receipt.service.ts';
import type { ReplayService } from './replay.service.ts';
import type { UploadListService } from './upload-list.service.ts';
import type { RecordSourceService } from './record-source.service.ts';
import type { PreviewService } from './preview.service.ts';
import type { SourcePreviewService } from './source-preview.service.ts';
import type { UploadService } from './upload.service.ts';

export const createIngestRoutes = (
  uploads: UploadService,
  ingest: IngestService,
  receipts: ReceiptService,
  sources: RecordSourceService,
  lists: UploadListService,
  replays: ReplayService,
  previews: PreviewService,
  sourcePreviews: SourcePreviewService,
  offered: () => Promise<IngestOptions>,
  requireWaitingPlace: (actor: Member) => Promise<void>,
): RouteBinding[] => [
  bindMember(
    routes.createUpload,
    ({ actor, request }) => partsOf(request, request.heldBody.keep, (parts) => uploads.receive(actor, parts)),
    requireWaitingPlace,
  ),
  bindMember(routes.previewUpload, ({ actor, request, reply }) =>
    partsOf(request, request.heldBody.keep, (parts) =>
      previews.preview(actor, parts, createDisconnectSignal(reply)),
    ),
  ),
  bindMember(routes.getIngestOptions, offered),
  bindMember(
    routes.startIngest,
    ({ actor, body, query }) => ingest.start(actor, body, query.isAsync ?? false),
    requireWaitingPlace,
  ),
  bindMember(routes.previewIngest, ({ actor, body, reply }) =>
    sourcePreviews.preview(actor, body, createDisconnectSignal(reply)),
  ),
  bindMember(routes.getJobReceipt, ({ actor, params, query: { $limit: limit = 0, $skip: skip = 0 } }) =>
    receipts.get(actor, params.id, { skip, limit }),
  ),
  bindMember(routes.listUploads, ({ actor, query, list }) => lists.list(actor, query.datasetId, list)),
  bindMember(routes.deleteUpload, ({ actor, params }) => lists.remove(actor, params.id)),
  bindMember(
    routes.replayRejectedRows,
    ({ actor, params, body }) => replays.replay(actor, params.id, body),
    requireWaitingPlace,
  ),
  bindMember(routes.getRecordSource, ({ actor, params: { datasetId, recordId } }) =>
    sources.get(actor, datasetId, recordId),
  ),
  bindMember(routes.listRejectedRows, ({ actor, query, list }) =>
    receipts.rejects(actor, query.datasetId, list),
  ),
];
