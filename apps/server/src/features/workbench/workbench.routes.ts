import { routes } from '@redoubt/contract';
import type { Member } from '../../platform/auth/actor.ts';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { QueryHistoryService } from './query-history.service.ts';
import type { SavedQueryService } from './saved-query.service.ts';

export const createWorkbenchRoutes = ({
  saved,
  history,
  draftKeyOf,
}: {
  saved: SavedQueryService;
  history: QueryHistoryService;
  draftKeyOf: (actor: Member) => string;
}): RouteBinding[] => [
  bindMember(routes.getDraftKey, ({ actor }) => ({ key: draftKeyOf(actor) })),
  bindMember(routes.listSavedQueries, ({ actor, list }) => saved.list(actor, list)),
  bindMember(routes.createSavedQuery, ({ actor, body }) => saved.create(actor, body)),
  bindMember(routes.getSavedQuery, ({ actor, params }) => saved.get(actor, params.id)),
  bindMember(routes.patchSavedQuery, ({ actor, params, body }) => saved.patch(actor, params.id, body)),
  bindMember(routes.deleteSavedQuery, ({ actor, params }) => saved.remove(actor, params.id)),
  bindMember(routes.listQueryHistory, ({ actor, list }) => history.list(actor, list)),
  bindMember(routes.deleteQueryHistory, async ({ actor }) => ({ deleted: await history.clear(actor) })),
];
