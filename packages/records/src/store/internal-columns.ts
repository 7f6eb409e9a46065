import type { VisibleLabels } from '@redoubt/labels';
import { quoteString, recordColumns, type InternalColumn } from '@redoubt/query';

/** Which internal fields to add: the id of a record, or all of them. */
export type InternalFields = 'record-id' | 'all' | undefined;

/** The internal fields of a record as columns of a file. */
export function internalColumns(
  {
    datasetId,
    internalFields,
    visible,
  }: { datasetId: string; visible: VisibleLabels; internalFields: InternalFields },
  labels: readonly { expression: string }[],
): InternalColumn[] {
  if (internalFields === undefined) return [];
  const id: InternalColumn = { name: '_koverse_record_id', sql: recordColumns.recordId, type: 'text' };
  if (internalFields === 'record-id') return [id];
  const texts = Array.from(visible.ids, (label) => quoteString(labels[label]?.expression ?? ''));
  return [
    id,
    { name: '_koverse_dataset_id', sql: quoteString(datasetId), type: 'text' },
    {
      name: '_koverse_timestamp',
      sql: `toDateTime64(${recordColumns.ingestedAt}, 6, 'UTC')`,
      type: 'timestamp',
    },
    {
      name: '_koverse_security_label',
      sql:
        texts.length === 0
          ? "''"
          : `transform(${recordColumns.labelId}, [${visible.ids.join(', ')}], [${texts.join(', ')}], '')`,
      type: 'text',
    },
  ];
}
