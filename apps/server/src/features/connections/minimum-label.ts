import { describeValue, invalidField, forbidden } from '@redoubt/errors';
import { evaluateLabel, LabelSyntaxError, parseLabel, toCanonicalLabel } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { listLabelTokens } from '../records/index.ts';

/** Returns the canonical form. @throws RedoubtError 400 for a text that is no label, or one that all satisfy */
const parseMinimumLabel = (sent: string): string => {
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
 * The minimum label of a connection that is created or changed.
 * @throws RedoubtError 400 for a label that the actor may not write, 403 if they do not satisfy the present one
 */
export const chooseMinimumLabel = async (
  held: Pick<HeldAttributes, 'ensureTokens' | 'heldTokens'>,
  actor: Member,
  sent: string | null,
  present: string | null,
): Promise<string | null> => {
  const label = sent === null ? null : parseMinimumLabel(sent);
  if (label === present) return label;
  if (present !== null && !evaluateLabel(parseLabel(present), new Set(await held.heldTokens(actor)))) {
    throw forbidden(
      'minimumLabel cannot be changed by people who do not satisfy it. Leave it out, or ask a person who holds its attributes.',
    );
  }
  if (label !== null) await held.ensureTokens(actor, listLabelTokens([label]));
  return label;
};
