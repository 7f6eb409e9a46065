import { describeValue, expectedMessage, forbidden, securityError } from '@redoubt/errors';
import {
  addColumnLabels,
  hideColumns,
  isHiddenPath,
  type SecurityLabelInfo,
  type VisibleLabels,
} from '@redoubt/labels';
import type { WriteBodyFormat, RecordStore } from '@redoubt/records';
import type { Audit, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { AccessibleDataset, DatasetAccess, DatasetColumns } from '../datasets/index.ts';
import { readAddedColumnLabels } from './add-column-labels.ts';
import { changeColumnLabels } from './change-column-labels.ts';
import type { ColumnSecurityServiceDeps } from './column-security.service.ts';
import { resolveVisibleLabels } from './dataset-reader.ts';
import { listLabelTokens } from './label-tokens.ts';

export interface WriteOutcome {
  workspace: string;
  datasetId: string;
  partitions: number[];
  recordsReplaced: number;
  recordsDropped: number;
}

export interface WriteService {
  /** Stores all records of a body, or none. They are durable and visible when the promise resolves. */
  write(actor: Member, datasetId: string, body: Buffer, shape: WriteBodyFormat): Promise<WriteOutcome>;
}

export interface WriteServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  audit: Pick<Audit, 'log'>;
  auditedColumns: AuditedChange<DatasetColumns>;
  held: HeldAttributes;
  store: Pick<RecordStore, 'parse' | 'prepareWrite' | 'schema' | 'visibleLabels'>;
  afterWrite: ColumnSecurityServiceDeps['afterWrite'];
}

/** Checks only that it is an object; the label parser checks its properties. */
const labelInfoFrom = (sent: unknown): SecurityLabelInfo | undefined => {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent !== 'object' || Array.isArray(sent)) {
    const message = expectedMessage({
      field: 'securityLabelInfo',
      expected: 'an object',
      got: describeValue(sent),
      advice: 'Send an object or leave it out.',
    });
    throw securityError(message, [{ field: 'securityLabelInfo', message }]);
  }
  return sent;
};

function requireRead({ permissions }: AccessibleDataset): void {
  if (permissions.read) return;
  throw forbidden(
    'Replacing records (those with _koverse_record_id) needs read as well as write on the dataset.',
  );
}

/** The operation for each body format. */
const operations = { array: 'writeRecords', envelope: 'writeRecordsV2' } as const;

/** The API names partitions, and a dataset has only one. */
const partitions = [0];

export const createWriteService = ({
  access,
  audit,
  auditedColumns,
  held,
  store,
  afterWrite,
}: WriteServiceDeps): WriteService => ({
  write: async (actor, datasetId, body, shape) => {
    const accessible = await access.requireCall(actor, datasetId, operations[shape]);
    const { dataset, permissions } = accessible;
    const parsed = await store.parse(body, shape);
    try {
      const added = readAddedColumnLabels(parsed.columnSecurityLabelInfo, permissions.manage);
      const labelInfo = labelInfoFrom(parsed.securityLabelInfo);
      const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
      const prepared = await store.prepareWrite({ datasetId: dataset.id, parsed, labelInfo, visible });
      if (prepared.replacing > 0) requireRead(accessible);
      await held.ensureTokens(actor, listLabelTokens([...prepared.labels, ...added.values()]));
      // Stores the column labels before the records, so that no reader sees the columns unprotected.
      const columnVersion =
        added.size === 0
          ? dataset.column_version
          : await changeColumnLabels({ auditedColumns, store }, actor, dataset.id, visible, (labels) =>
              addColumnLabels(labels, added),
            );
      /** What is hidden from the author now, without the columns that this write itself labels. */
      const stillHidden = (latest: VisibleLabels): string[] =>
        latest.hidden.filter((path) => !added.has(path) || isHiddenPath(visible.hidden, path));
      await prepared.commit({
        mayRelabel: permissions.manage,
        columnVersion,
        writer: async () => {
          const now = await access.requireCall(actor, datasetId, operations[shape]);
          requireRead(now);
          const latest = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, now);
          // Columns that this write itself labels do not become hidden from its author before it is stored.
          const isOwn = now.dataset.column_version === columnVersion;
          return {
            visible: isOwn ? hideColumns(latest, stillHidden(latest)) : latest,
            mayRelabel: now.permissions.manage,
            columnVersion: now.dataset.column_version,
          };
        },
        onDecided: (labels) =>
          audit.log(actor, {
            type: 'WriteRecords',
            description: 'writes records',
            datasetId: dataset.id,
            details: { operation: operations[shape] },
            labels,
          }),
      });
      await afterWrite(dataset, added.size > 0);
      return {
        workspace: actor.workspace.slug,
        datasetId: dataset.id,
        partitions,
        recordsReplaced: prepared.relabelled,
        recordsDropped: prepared.dropped,
      };
    } finally {
      parsed.release();
    }
  },
});
