import { evaluateLabel, parseLabel } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { IngestOptions } from './ingest-options.ts';

/** Whether somebody with these attributes satisfies the minimum label of a connection, if it has one. */
export const satisfiesMinimum = (label: string | null | undefined, tokens: ReadonlySet<string>): boolean =>
  label === null || label === undefined || evaluateLabel(parseLabel(label), tokens);

/** Whether the actor satisfies the minimum label of the connection that files were read through. */
export type ActorSatisfiesMinimum = (
  actor: Member,
  options: Pick<IngestOptions, 'minimumLabel'>,
) => Promise<boolean>;

export const createSatisfiesMinimum =
  (held: Pick<HeldAttributes, 'heldTokens'>): ActorSatisfiesMinimum =>
  async (actor, { minimumLabel }) =>
    minimumLabel === undefined || satisfiesMinimum(minimumLabel, new Set(await held.heldTokens(actor)));
