import { createRecordLabeller, type RecordLabeller } from '@redoubt/labels';
import type { IngestOptions } from './ingest-options.ts';

/** What decides the labels of rows: the rule of the request, and the minimum label of the stored connection. */
export type LabelRule = Pick<IngestOptions, 'minimumLabel' | 'securityLabelInfo'>;

/** The same two for a write to the record store. */
export const labelInfoOf = ({ securityLabelInfo, minimumLabel }: LabelRule) => ({
  labelInfo: securityLabelInfo,
  minimumLabel,
});

export const createRowLabeller = ({ securityLabelInfo, minimumLabel }: LabelRule): RecordLabeller =>
  createRecordLabeller(securityLabelInfo, minimumLabel);
