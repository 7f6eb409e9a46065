import { routes } from '@redoubt/contract';
import { bindMember, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import { createDisconnectSignal } from '../records/index.ts';
import type { MediaService } from './media.service.ts';

export const createMediaRoutes = (service: MediaService): RouteBinding[] => [
  bindMember(routes.serveMedia, ({ actor, params, query }) => service.lookup(actor, params.datasetId, query)),
  bindMember(routes.getDocumentPage, ({ actor, params, query, reply }) =>
    service.page(actor, params.datasetId, query.documentId, query.page, createDisconnectSignal(reply)),
  ),
  bindPublic(routes.getMediaFile, async ({ params, request, reply }) => {
    // Without a validator of the file, a client cannot know that the parts are of the same one.
    const range = request.headers['if-range'] === undefined ? request.headers.range : undefined;
    const { status, headers, body } = await service.open(params.token, range, createDisconnectSignal(reply));
    reply.code(status).headers(headers);
    return body;
  }),
];
