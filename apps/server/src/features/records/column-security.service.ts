import type { ColumnSecurityLabels } from '@redoubt/contract';
import {
  joinColumnLabels,
  parseColumnLabelInfo,
  parseColumnLabels,
  replaceColumnLabels,
} from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Static } from 'typebox';
import type { AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { parseJsonBody } from '../../platform/http/body.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { AccessibleDataset, DatasetAccess, DatasetColumns } from '../datasets/index.ts';
import { changeColumnLabels } from './change-column-labels.ts';
import { resolveVisibleLabels } from './dataset-reader.ts';
import { listLabelTokens } from './label-tokens.ts';

export interface ColumnSecurityService {
  /**
   * Changes the labels of columns. A label that the actor satisfies is replaced. One that they do not satisfy stays, and
   * the new label is required in addition. Both cases return what was sent, so the response discloses no hidden column.
   * @throws SecurityError 400 if any part of the body is invalid or too many columns would be labelled, ForbiddenError 403 without the permission to manage
   */
  change(actor: Member, datasetId: string, body: Buffer): Promise<Static<typeof ColumnSecurityLabels>>;
  /**
   * Lists the labels of the columns that the actor sees. A label may come from a write of records that they do not see, so
   * a column that is in none of their records is left out.
   * @throws ForbiddenError 403 without the permission to manage
   */
  list(actor: Member, datasetId: string): Promise<Static<typeof ColumnSecurityLabels>>;
}

export interface ColumnSecurityServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  auditedColumns: AuditedChange<DatasetColumns>;
  held: HeldAttributes;
  store: Pick<RecordStore, 'schema' | 'visibleLabels'>;
  /** Called after a write or a change of column labels; `labelsColumns` says whether a column got a label. */
  afterWrite(dataset: AccessibleDataset['dataset'], labelsColumns: boolean): Promise<void>;
}

export const createColumnSecurityService = ({
  access,
  auditedColumns,
  held,
  store,
  afterWrite,
}: ColumnSecurityServiceDeps): ColumnSecurityService => ({
  change: async (actor, datasetId, body) => {
    const accessible = await access.requireCall(actor, datasetId, 'patchColumnSecurity');
    const { dataset } = accessible;
    const newLabels = parseColumnLabelInfo(parseJsonBody(body), 'The labels of columns', true);
    await held.ensureTokens(actor, listLabelTokens([...newLabels.values()]));
    const attributes = new Set(await held.heldTokens(actor));
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    await changeColumnLabels({ auditedColumns, store }, actor, dataset.id, visible, (labels) =>
      replaceColumnLabels(labels, newLabels, attributes),
    );
    await afterWrite(
      dataset,
      [...newLabels.values()].some((label) => label !== ''),
    );
    return Object.fromEntries([...newLabels].map(([path, securityLabel]) => [path, { securityLabel }]));
  },

  list: async (actor, datasetId) => {
    const accessible = await access.requireCall(actor, datasetId, 'listColumnLabels');
    const { dataset } = accessible;
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    const fields = await store.schema(dataset.id, visible, { nested: true });
    return Object.fromEntries(
      [...parseColumnLabels(dataset.column_labels)]
        .filter(([path]) => Object.hasOwn(fields, path))
        .map(([path, labels]) => [path, { securityLabel: joinColumnLabels(labels) }]),
    );
  },
});
