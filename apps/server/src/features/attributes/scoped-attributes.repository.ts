import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** Whether the attribute of each row of `attributes` is one that the actor's credential is narrowed to. */
export const isWithinCredentialScope = ({ narrowing }: Member): RawBuilder<boolean> =>
  narrowing?.tokens === undefined
    ? sql<boolean>`true`
    : sql<boolean>`attributes.token in ${textListSubquery(narrowing.tokens)}`;
