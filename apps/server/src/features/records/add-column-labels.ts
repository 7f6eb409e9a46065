import { forbidden } from '@redoubt/errors';
import { addColumnLabels, parseColumnLabelInfo } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { AccessibleDataset } from '../datasets/index.ts';
import { changeColumnLabels } from './change-column-labels.ts';
import type { ColumnSecurityServiceDeps } from './column-security.service.ts';
import { resolveVisibleLabels } from './dataset-reader.ts';
import { listLabelTokens } from './label-tokens.ts';

const noColumns: ReadonlyMap<string, string> = new Map();

/**
 * The labels of `columnSecurityLabelInfo` in a request that stores records, by the path of the column.
 * @throws RedoubtError 400 for labels that cannot be read, 403 without the permission to manage
 */
export const readAddedColumnLabels = (sent: unknown, mayManage: boolean): ReadonlyMap<string, string> => {
  if (sent === undefined || sent === null) return noColumns;
  const added = parseColumnLabelInfo(sent, 'columnSecurityLabelInfo', false);
  if (added.size > 0 && !mayManage) {
    throw forbidden(
      'Labels on columns need the permission to manage the dataset; leave columnSecurityLabelInfo out to write without it.',
    );
  }
  return added;
};

/** Adds labels to columns, before records with these columns are stored. */
export type AddColumnLabels = (
  actor: Member,
  accessible: AccessibleDataset,
  added: ReadonlyMap<string, string>,
) => Promise<void>;

export const createAddColumnLabels =
  ({ auditedColumns, held, store, afterWrite }: Omit<ColumnSecurityServiceDeps, 'access'>): AddColumnLabels =>
  async (actor, accessible, added) => {
    if (added.size === 0) return;
    await held.ensureTokens(actor, listLabelTokens([...added.values()]));
    const { dataset } = accessible;
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    await changeColumnLabels({ auditedColumns, store }, actor, dataset.id, visible, (labels) =>
      addColumnLabels(labels, added),
    );
    await afterWrite(dataset, true);
  };
