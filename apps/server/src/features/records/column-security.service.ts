import type { ColumnSecurityLabels } from '@redoubt/contract';
import { replaceColumnLabels, parseColumnLabelInfo } from '@redoubt/labels';
import type { Static } from 'typebox';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { parseJsonBody } from '../../platform/http/body.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { AccessibleDataset, DatasetAccess, DatasetColumns } from '../datasets/index.ts';
import { listLabelTokens } from './label-tokens.ts';

export interface ColumnSecurityService {
  /**
   * Changes labels of columns: those that the actor satisfies give way to the new ones, the others stay and the new ones are
   * added. Both are answered alike, with what was asked for, so that nobody learns of a column that they do not see.
   * @throws SecurityError 400 for anything that is not understood, ForbiddenError 403 without manage
   */
  change(actor: Member, datasetId: string, body: Buffer): Promise<Static<typeof ColumnSecurityLabels>>;
}

export interface ColumnSecurityServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  auditedColumns: AuditedChange<DatasetColumns>;
  held: HeldAttributes;
  /** Told of datasets that were written to or whose labels of columns were changed, and whether columns got labels by it. */
  afterWrite(dataset: AccessibleDataset['dataset'], labelsColumns: boolean): Promise<void>;
}

/** Neither columns nor labels are named: both may be hidden from who reads the log. */
export const columnLabelsChangedEvent = (datasetId: string): AuditEvent => ({
  type: 'DatasetManagement',
  description: 'changed labels of columns',
  datasetId,
});

export const createColumnSecurityService = ({
  access,
  auditedColumns,
  held,
  afterWrite,
}: ColumnSecurityServiceDeps): ColumnSecurityService => ({
  change: async (actor, datasetId, body) => {
    const { dataset } = await access.requireCall(actor, datasetId, 'patchColumnSecurity');
    const wanted = parseColumnLabelInfo(parseJsonBody(body), 'The labels of columns', true);
    const { uniqueId } = actor.workspace;
    await held.ensureTokens(actor, listLabelTokens([...wanted.values()]));
    const attributes = new Set(await held.heldTokens(actor));
    await auditedColumns(actor, columnLabelsChangedEvent(dataset.id), (columns) =>
      columns.change(uniqueId, dataset.id, (labels) => replaceColumnLabels(labels, wanted, attributes)),
    );
    await afterWrite(
      dataset,
      [...wanted.values()].some((label) => label !== ''),
    );
    return Object.fromEntries([...wanted].map(([path, securityLabel]) => [path, { securityLabel }]));
  },
});
