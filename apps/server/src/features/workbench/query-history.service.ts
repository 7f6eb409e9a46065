import { queryHistoryLimits, type ListQuery, type QueryRun } from '@redoubt/contract';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { withoutNul } from '../../platform/db/without-nul.ts';
import type { RecordedRuns } from '../records/index.ts';
import type { QueryHistoryRepository } from './query-history.repository.ts';

export interface QueryHistoryService extends RecordedRuns {
  list(actor: Member, list: ListQuery): Promise<Page<QueryRun>>;
  /** @returns how many runs were deleted */
  clear(actor: Member): Promise<number>;
}

const dayMilliseconds = 86_400_000;

export const createQueryHistoryService = ({
  history,
  audited,
  runtime: { clock, ids },
}: {
  history: QueryHistoryRepository;
  audited: AuditedChange<Pick<QueryHistoryRepository, 'clear'>>;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
}): QueryHistoryService => {
  const oldest = (): Date => new Date(clock.now().getTime() - queryHistoryLimits.days * dayMilliseconds);
  return {
    list: (actor, list) => history.list(actor, oldest(), list),
    clear: (actor) =>
      audited(
        actor,
        { type: 'UserProfileManagement', description: 'deleted their query history' },
        (changes) => changes.clear(actor),
      ),
    add: (actor, { text, ...run }) =>
      history.add(
        actor,
        {
          id: ids.uuid(),
          text: withoutNul(text.slice(0, queryHistoryLimits.text)),
          isCut: text.length > queryHistoryLimits.text,
          ...run,
        },
        oldest(),
      ),
  };
};
