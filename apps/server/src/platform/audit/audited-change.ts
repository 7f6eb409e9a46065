import type { Db } from '../db/database.ts';
import type { Audit, EventFactory } from './audit.ts';
import type { AuditActor } from './audit-event.ts';

/** Runs a change on a repository and logs its event in the same transaction, as `Audit.change` does. */
export type AuditedChange<Repository> = <Result>(
  author: AuditActor,
  event: EventFactory<Result>,
  change: (repository: Repository) => Promise<Result>,
) => Promise<Result>;

/** @param create creates the repository on a transaction */
export const createAuditedChange =
  <Repository>(audit: Pick<Audit, 'change'>, create: (trx: Db) => Repository): AuditedChange<Repository> =>
  (author, event, change) =>
    audit.change(author, event, (trx) => change(create(trx)));
