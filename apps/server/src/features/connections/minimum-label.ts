import { describeValue, invalidField, forbidden } from '@redoubt/errors';
import { LabelSyntaxError, parseLabel, toCanonicalLabel } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { satisfiesMinimum } from '../ingest/index.ts';
import { listLabelTokens } from '../records/index.ts';

/** Returns the canonical form. @throws RedoubtError 400 for a text that is no label, or one that all satisfy */
export const parseMinimumLabel = (sent: string | null): string | null => {
  if (sent === null) return null;
  try {
    const label = toCanonicalLabel(parseLabel(sent));
    if (label !== '') return label;
  } catch (error) {
    if (!(error instanceof LabelSyntaxError)) throw error;
  }
  throw invalidField({
    field: 'minimumLabel',
    expected: 'a label expression with at least one attribute, such as A&(B|C)',
    got: describeValue(sent),
    advice: 'Correct it, or send null for no minimum label.',
  });
};

/**
 * Creates the attributes of a new minimum label where they are missing.
 * @throws SecurityError 400 for a label that the actor may not write
 */
export const ensureMinimumLabel = async (
  held: Pick<HeldAttributes, 'ensureTokens'>,
  actor: Member,
  label: string | null,
  present: string | null,
): Promise<void> => {
  if (label !== null && label !== present) await held.ensureTokens(actor, listLabelTokens([label]));
};

/** @throws ForbiddenError 403 for a change of a label that the actor does not satisfy */
export const requireLabelChange = (
  present: string | null,
  label: string | null,
  tokens: ReadonlySet<string>,
): void => {
  if (label === present || satisfiesMinimum(present, tokens)) return;
  throw forbidden(
    'minimumLabel cannot be changed by people who do not satisfy it. Leave it out, or ask a person who holds its attributes.',
  );
};
