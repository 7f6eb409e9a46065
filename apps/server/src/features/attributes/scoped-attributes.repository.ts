import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** SQL for whether the attribute of each row of `attributes` is in the scope of the actor's credential. */
export const isWithinCredentialScope = ({ scope }: Member): RawBuilder<boolean> =>
  scope?.tokens === undefined
    ? sql<boolean>`true`
    : sql<boolean>`attributes.token in ${textListSubquery(scope.tokens)}`;
