import type { LabelVisibility, LabelVisibilityRequest } from '@redoubt/contract';
import { badField } from '@redoubt/errors';
import { evaluateLabel, LabelSyntaxError, parseLabel, type LabelExpression } from '@redoubt/labels';
import { hasPermission, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { listReaders } from './label-visibility.repository.ts';

export interface LabelVisibilityService {
  get(actor: Member, request: LabelVisibilityRequest): Promise<{ labels: LabelVisibility[] }>;
}

const parse = (text: string, index: number): LabelExpression => {
  try {
    return parseLabel(text);
  } catch (error) {
    if (!(error instanceof LabelSyntaxError)) throw error;
    throw badField(`labels[${index}]`, error.predicate);
  }
};

export const createLabelVisibilityService = ({
  db,
  held,
  access,
}: {
  db: Db;
  held: Pick<HeldAttributes, 'heldTokens'>;
  access: Pick<DatasetAccess, 'resolve'>;
}): LabelVisibilityService => {
  /** The attributes of the readers; undefined if the actor may not know who belongs to groups and holds attributes. */
  const findReaders = async (
    actor: Member,
    datasetId: string | undefined,
  ): Promise<ReadonlySet<string>[] | undefined> => {
    if (datasetId === undefined) return undefined;
    const { permissions } = await access.resolve(actor, datasetId);
    const mayCount =
      permissions.manage &&
      hasPermission(actor, 'manage-attributes') &&
      hasPermission(actor, 'manage-groups');
    return mayCount ? listReaders(db, actor.workspace.uniqueId, datasetId) : undefined;
  };

  return {
    get: async (actor, { labels, datasetId }) => {
      const parsed = labels.map(parse);
      const own = new Set(await held.heldTokens(actor));
      const readers = await findReaders(actor, datasetId);
      return {
        labels: parsed.map((expression, index) => ({
          label: labels[index] ?? '',
          isVisible: evaluateLabel(expression, own),
          readers: readers?.filter((tokens) => evaluateLabel(expression, tokens)).length ?? null,
        })),
      };
    },
  };
};
