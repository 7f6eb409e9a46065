import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { listed } from '../../platform/db/listed.ts';

/** Whether the attribute of each row of `attributes` is one that the actor's credential is narrowed to. */
export const isCounted = ({ narrowing }: Member): RawBuilder<boolean> =>
  narrowing?.tokens === undefined
    ? sql<boolean>`true`
    : sql<boolean>`attributes.token in ${listed(narrowing.tokens)}`;
