import type { Db } from '../db/database.ts';
import type { Audit, EventOf } from './audit.ts';
import type { Author } from './event.ts';

/** Changes something by way of a repository and notes the event, both or neither. */
export type Audited<Repository> = <Result>(
  author: Author,
  event: EventOf<Result>,
  change: (repository: Repository) => Promise<Result>,
) => Promise<Result>;

/** @param create the repository on a transaction */
export const auditedBy =
  <Repository>(audit: Pick<Audit, 'change'>, create: (trx: Db) => Repository): Audited<Repository> =>
  (author, event, change) =>
    audit.change(author, event, (trx) => change(create(trx)));
