import { normaliseAttribute } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { IngestOptions } from './ingest-options.ts';
import { satisfiesMinimum } from './satisfies-minimum.ts';

/**
 * Rejected rows have no label. Of files that were read through a stored connection, they need an attribute of the dataset
 * besides the minimum label: people who may use a connection need not see all that it reads.
 */
export const rejectsToken = (datasetId: string): string => normaliseAttribute(`REJECTS:${datasetId}`);

/** Whether the files of an upload were read through a stored connection. */
export const isRestricted = ({ connectionId }: Pick<IngestOptions, 'connectionId'>): boolean =>
  connectionId !== undefined;

/** Whether the actor sees rejected rows that a stored connection with this minimum label has read. */
export type SeesRestrictedRejects = (
  actor: Member,
  datasetId: string,
  minimumLabel: string | undefined,
) => Promise<boolean>;

export const createSeesRestrictedRejects =
  (held: Pick<HeldAttributes, 'heldTokens'>): SeesRestrictedRejects =>
  async (actor, datasetId, minimumLabel) => {
    const tokens = new Set(await held.heldTokens(actor));
    return tokens.has(rejectsToken(datasetId)) && satisfiesMinimum(minimumLabel, tokens);
  };
