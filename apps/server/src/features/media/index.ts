import type { RecordStore } from '@redoubt/records';
import type { Audit } from '../../platform/audit/index.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { PageImages } from '../ingest/index.ts';
import { createAuditDownload, type PreviewOf } from '../records/index.ts';
import { createMediaAddresses } from './media-address.ts';
import { createPreviewOf } from './document-previews.ts';
import { createMediaRepository } from './media.repository.ts';
import { createMediaRoutes } from './media.routes.ts';
import { createMediaService } from './media.service.ts';
import { createFindVisibleFile } from './visible-file.ts';

/** Wires the calls that send the files of documents. */
export const wireMedia = ({
  access,
  audit,
  db,
  files,
  held,
  pages,
  publicUrl,
  reauthenticate,
  runtime: { clock },
  secrets,
  store,
}: {
  access: DatasetAccess;
  audit: Audit;
  db: Db;
  files: ObjectStore;
  held: HeldAttributes;
  pages: PageImages;
  publicUrl: () => string;
  reauthenticate: ReauthenticateActor;
  runtime: Runtime;
  secrets: SecretBox;
  store: RecordStore;
}): { bindings: RouteBinding[]; previewOf: PreviewOf } => {
  const findFile = createFindVisibleFile({ repository: createMediaRepository(db), store });
  return {
    bindings: createMediaRoutes(
      createMediaService({
        access,
        addresses: createMediaAddresses({ secrets, clock }),
        auditDownload: createAuditDownload(audit),
        clock,
        files,
        findFile,
        held,
        pages,
        publicUrl,
        reauthenticate,
        store,
      }),
    ),
    previewOf: createPreviewOf({ findFile, pages }),
  };
};
