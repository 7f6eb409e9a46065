import type { Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { createTransferRequestRoutes } from './transfer-request.routes.ts';
import { createTransferRequestService } from './transfer-request.service.ts';

/** Wires requests to transfer a dataset to another owner. */
export const wireTransferRequests = ({
  db,
  access,
  runtime: { clock, ids },
  audit,
}: {
  audit: Audit;
  db: Db;
  access: Pick<DatasetAccess, 'requireCall'>;
  runtime: Runtime;
}): RouteBinding[] =>
  createTransferRequestRoutes(createTransferRequestService({ db, audit, access, clock, ids }));
