import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { DatasetService } from './dataset.service.ts';

export const createDatasetRoutes = (datasets: DatasetService): RouteBinding[] => [
  bindMember(routes.listDatasets, ({ actor, list }) => datasets.list(actor, list)),
  bindMember(routes.createDataset, ({ actor, body }) => datasets.create(actor, body)),
  bindMember(routes.getDataset, ({ actor, params }) => datasets.get(actor, params.id)),
  bindMember(routes.patchDataset, ({ actor, params, body }) => datasets.patch(actor, params.id, body)),
  bindMember(routes.deleteDataset, ({ actor, params }) => datasets.remove(actor, params.id)),
];
