import type { ListQuery, SavedQuery, SavedQueryCreate, SavedQueryPatch } from '@redoubt/contract';
import { badRequest, conflict, notFound } from '@redoubt/errors';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SavedQueryRepository } from './saved-query.repository.ts';

export interface SavedQueryService {
  list(actor: Member, list: ListQuery): Promise<Page<SavedQuery>>;
  get(actor: Member, id: string): Promise<SavedQuery>;
  create(actor: Member, query: SavedQueryCreate): Promise<SavedQuery>;
  /** @throws RedoubtError 409 if the query has changed since the version that the client changed */
  patch(actor: Member, id: string, patch: SavedQueryPatch): Promise<SavedQuery>;
  remove(actor: Member, id: string): Promise<SavedQuery>;
}

/** Maximum number of saved queries of one person in one workspace. */
const maxSavedQueries = 1000;

/** The audit log keeps neither name nor text. */
const event = (description: string, id: string) => ({
  type: 'UserProfileManagement' as const,
  description,
  details: { savedQueryId: id },
});

export const createSavedQueryService = ({
  queries,
  audited,
  runtime: { clock, ids },
}: {
  queries: SavedQueryRepository;
  audited: AuditedChange<Pick<SavedQueryRepository, 'create' | 'update' | 'remove'>>;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
}): SavedQueryService => {
  const get = async (actor: Member, id: string): Promise<SavedQuery> => {
    const query = await queries.find(actor, id);
    if (query === undefined) throw notFound('saved query', id);
    return query;
  };

  return {
    list: (actor, list) => queries.list(actor, list),
    get,
    create: async (actor, { name, text }) => {
      if ((await queries.count(actor)) >= maxSavedQueries) {
        throw badRequest(
          `You have saved ${String(maxSavedQueries)} queries, which is the limit. Delete one that you no longer need.`,
        );
      }
      const id = ids.uuid();
      await audited(actor, event('saved a query', id), (changes) =>
        changes.create(actor, { id, name, text, now: clock.now() }),
      );
      return get(actor, id);
    },
    patch: async (actor, id, { version, name, text }) => {
      await get(actor, id);
      await audited(actor, event('changed a saved query', id), async (changes) => {
        if (await changes.update(actor, id, { version, name, text, now: clock.now() })) return;
        throw conflict(
          `The saved query has changed since version ${String(version)}, for example in another window. Get it again, then repeat your change.`,
        );
      });
      return get(actor, id);
    },
    remove: async (actor, id) => {
      const query = await get(actor, id);
      await audited(actor, event('deleted a saved query', id), (changes) => changes.remove(actor, id));
      return query;
    },
  };
};
