import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { StorageService } from './storage.service.ts';

export const createStorageRoutes = (storage: StorageService): RouteBinding[] => [
  bindMember(routes.clearDataset, ({ actor, params }) => storage.clear(actor, params.datasetId)),
  bindMember(routes.deleteRecords, ({ actor, params, body }) =>
    storage.deleteRecords(actor, params.datasetId, body),
  ),
  bindMember(routes.deleteRecordsByQuery, ({ actor, params, body }) =>
    storage.deleteByQuery(actor, params.datasetId, body, 'delete-record'),
  ),
  bindMember(routes.deleteDocumentsByQuery, ({ actor, params, body }) =>
    storage.deleteByQuery(actor, params.datasetId, body, 'delete-document'),
  ),
  bindMember(routes.relabelRecords, ({ actor, params, body }) =>
    storage.relabel(actor, params.datasetId, body),
  ),
];
