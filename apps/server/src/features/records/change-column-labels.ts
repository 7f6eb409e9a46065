import type { ColumnLabels, VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { DatasetColumns } from '../datasets/index.ts';

/** Names neither columns nor labels: both may be hidden from readers of the audit log. */
const columnLabelsChangedEvent = (datasetId: string): AuditEvent => ({
  type: 'DatasetManagement',
  description: 'changed labels of columns',
  datasetId,
});

export interface ChangeColumnLabelsDeps {
  auditedColumns: AuditedChange<DatasetColumns>;
  store: Pick<RecordStore, 'schema'>;
}

/**
 * Changes the labels of columns for an actor who may do so.
 * @param visible what the actor sees: labelled columns of these records count towards their limit
 * @returns the new version of the labels
 * @throws SecurityError 400 if the actor would have labelled or see too many labelled columns
 */
export const changeColumnLabels = async (
  { auditedColumns, store }: ChangeColumnLabelsDeps,
  actor: Member,
  datasetId: string,
  visible: VisibleLabels,
  change: (labels: ColumnLabels) => ColumnLabels,
): Promise<number> => {
  const fields = await store.schema(datasetId, visible, { nested: true });
  return auditedColumns(actor, columnLabelsChangedEvent(datasetId), (columns) =>
    columns.change(actor, datasetId, { change, isSeen: (path) => Object.hasOwn(fields, path) }),
  );
};
