import type { Db } from '../db/database.ts';
import type { Audit, EventFactory } from './audit.ts';
import type { AuditActor } from './audit-event.ts';

/** Changes something by way of a repository and notes the event, both or neither. */
export type AuditedChange<Repository> = <Result>(
  author: AuditActor,
  event: EventFactory<Result>,
  change: (repository: Repository) => Promise<Result>,
) => Promise<Result>;

/** @param create the repository on a transaction */
export const createAuditedChange =
  <Repository>(audit: Pick<Audit, 'change'>, create: (trx: Db) => Repository): AuditedChange<Repository> =>
  (author, event, change) =>
    audit.change(author, event, (trx) => change(create(trx)));
