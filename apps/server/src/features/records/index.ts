import type { RecordStore } from '@redoubt/records';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { createReadService } from './read.service.ts';
import { createRecordRoutes } from './record.routes.ts';
import { createWriteService } from './write.service.ts';

export { createDatasetCatalog } from './dataset-catalog.repository.ts';

/** Writing, searching and reading records. */
export const wireRecords = ({
  store,
  access,
  held,
}: {
  store: RecordStore;
  access: DatasetAccess;
  held: HeldAttributes;
}): RouteBinding[] =>
  createRecordRoutes(
    createWriteService({ access, held, store }),
    createReadService({ access, heldTokens: held.heldTokens, store }),
  );
