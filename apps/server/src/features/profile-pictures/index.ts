import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { UserService } from '../users/index.ts';
import { createPictureRepository } from './picture.repository.ts';
import { createPictureRoutes } from './picture.routes.ts';
import { createPictureService } from './picture.service.ts';

export const wireProfilePictures = ({
  audit,
  db,
  users,
}: {
  audit: Audit;
  db: Db;
  users: Pick<UserService, 'get'>;
}): { bindings: RouteBinding[] } => ({
  bindings: createPictureRoutes(
    createPictureService({
      audited: createAuditedChange(audit, createPictureRepository),
      pictures: createPictureRepository(db),
      users,
    }),
  ),
});
