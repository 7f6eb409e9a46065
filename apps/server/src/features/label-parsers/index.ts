import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createLabelParserRepository } from './label-parser.repository.ts';
import { createLabelParserRoutes } from './label-parser.routes.ts';
import { createLabelParserService } from './label-parser.service.ts';

export const wireLabelParsers = ({ db }: { db: Db }): { bindings: RouteBinding[] } => ({
  bindings: createLabelParserRoutes(createLabelParserService(createLabelParserRepository(db))),
});
