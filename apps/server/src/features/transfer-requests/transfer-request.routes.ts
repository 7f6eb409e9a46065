import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { TransferRequestService } from './transfer-request.service.ts';

export const createTransferRequestRoutes = (requests: TransferRequestService): RouteBinding[] => [
  bindMember(routes.listTransferResourceRequests, ({ actor, list }) => requests.list(actor, list)),
  bindMember(routes.createTransferResourceRequest, ({ actor, body }) => requests.create(actor, body)),
  bindMember(routes.getTransferResourceRequest, ({ actor, params }) => requests.get(actor, params.id)),
  bindMember(routes.patchTransferResourceRequest, ({ actor, params, body }) =>
    requests.patch(actor, params.id, body),
  ),
];
