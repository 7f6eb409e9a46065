import type {
  Connection,
  DataSourceParams,
  FileOptions,
  IngestRequest,
  ScheduleCreate,
} from '@redoubt/contract';
import { toConnectionInfo, toReadInfo } from '../../../parts/sources/connection-info.ts';
import { sourceForms, type SourceKind, type SourceValues } from '../../../parts/sources/source-kinds.ts';
import { toCron, type CronChoice } from '../../../parts/schedules/cron-preset.ts';
import { nextTimes } from '../../../parts/schedules/next-times.ts';
import { isZone } from '../../../preferences/preferences.ts';
import { schedulesText } from '../../../text/schedules.ts';
import { sourcesText as texts } from '../../../text/sources.ts';
import { areDocuments, documentChoiceProblem } from '../documents.ts';
import { choiceProblem, noLabels, toAccessControlLabel, type LabelChoice } from '../label-choice.ts';

export type WriteMode = NonNullable<IngestRequest['writeMode']>;

/** All that a person has chosen for an import from a source. */
export interface SourceImport {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  /** A stored connection; undefined if its details are typed. */
  readonly connection: Connection | undefined;
  readonly choice: LabelChoice;
  readonly options: FileOptions;
  /** Whether each page becomes a record with its text. Undefined until the person chooses: the names of files tell. */
  readonly asDocuments: boolean | undefined;
  /** The languages of text in images; none for those of the server. */
  readonly ocrLanguages: readonly string[];
  readonly writeMode: WriteMode;
  readonly keyColumns: readonly string[];
  /** When it runs again; undefined for an import that runs once. */
  readonly schedule: ScheduleChoice | undefined;
}

export interface ScheduleChoice {
  readonly name: string;
  readonly choice: CronChoice;
  readonly timeZone: string;
  readonly mailOnFailure: boolean;
}

export const newSourceImport: SourceImport = {
  kind: 'URL',
  values: {},
  connection: undefined,
  choice: noLabels,
  options: {},
  asDocuments: undefined,
  ocrLanguages: [],
  writeMode: 'append',
  keyColumns: [],
  schedule: undefined,
};

/** Whether the source has files, and neither rows of a database nor messages. */
export const hasFiles = ({ kind }: Pick<SourceImport, 'kind'>): boolean => kind === 'URL' || kind === 'S3';

/** The names of files that the typed values tell. */
const namesOf = ({ kind, values }: Pick<SourceImport, 'kind' | 'values'>): { name: string }[] => {
  const { urls = '', pattern = '' } = values;
  const texts = kind === 'URL' ? urls.split('\n') : [pattern];
  return texts
    .map((text) => ({ name: text.trim().replace(/[?#].*$/, '') }))
    .filter(({ name }) => name !== '');
};

/** Whether the files of the source are stored as documents. */
export const isDocumentImport = (draft: Pick<SourceImport, 'asDocuments' | 'kind' | 'values'>): boolean =>
  hasFiles(draft) && (draft.asDocuments ?? areDocuments(namesOf(draft)));

const allModes = ['append', 'replace', 'upsert'] as const;

/** How records can be written. */
export const writeModesOf = (
  draft: Pick<SourceImport, 'asDocuments' | 'kind' | 'values'>,
): readonly WriteMode[] => {
  // A topic has no end at which it could replace all records.
  if (draft.kind === 'KAFKA') return ['append', 'upsert'];
  return isDocumentImport(draft) ? ['append', 'replace'] : allModes;
};

/** The chosen mode; append if the source has since become one that cannot have it. */
export const writeModeOf = (draft: SourceImport): WriteMode =>
  writeModesOf(draft).includes(draft.writeMode) ? draft.writeMode : 'append';

/** Returns what is missing or wrong in the choice of labels, or undefined. */
export const labelsProblem = (draft: SourceImport): string | undefined =>
  isDocumentImport(draft) ? documentChoiceProblem(draft.choice) : choiceProblem(draft.choice);

export const toDataSourceParams = ({
  kind,
  values,
  connection,
}: Pick<SourceImport, 'connection' | 'kind' | 'values'>): DataSourceParams => ({
  type: sourceForms[kind].type,
  ...(connection === undefined
    ? { connectionInfo: toConnectionInfo(kind, values) }
    : { connectionId: connection.id, connectionInfo: toReadInfo(kind, values) }),
});

const toRequest = (draft: SourceImport): ScheduleCreate['request'] => ({
  dataSourceParams: toDataSourceParams(draft),
  ...toAccessControlLabel(draft.choice),
  ...(isDocumentImport(draft)
    ? {
        processAsDocument: true,
        ...(draft.ocrLanguages.length > 0 && { ocrLanguages: [...draft.ocrLanguages] }),
      }
    : Object.keys(draft.options).length > 0 && { fileOptions: draft.options }),
  ...(writeModeOf(draft) !== 'append' && { writeMode: writeModeOf(draft) }),
  ...(writeModeOf(draft) === 'upsert' && { keyColumns: [...draft.keyColumns] }),
});

/** The request that starts the job. */
export const toIngestRequest = (datasetId: string, draft: SourceImport): IngestRequest => ({
  datasetId,
  ...toRequest(draft),
});

/** The request that creates the schedule. */
export const toScheduleRequest = (
  datasetId: string,
  draft: SourceImport,
  { name, choice, timeZone, mailOnFailure }: ScheduleChoice,
): ScheduleCreate => ({
  datasetId,
  name: name.trim(),
  cron: toCron(choice),
  timeZone,
  mailOnFailure,
  request: toRequest(draft),
});

const scheduleProblem = ({ name, choice, timeZone }: ScheduleChoice): string | undefined => {
  if (name.trim() === '') return schedulesText.typeName;
  if (!isZone(timeZone)) return schedulesText.wrongZone;
  return nextTimes(toCron(choice), timeZone, 1) === undefined ? schedulesText.wrongCron : undefined;
};

/** Whether the import runs until it is canceled, which a schedule cannot repeat. */
export const isEndless = ({ kind, values }: Pick<SourceImport, 'kind' | 'values'>): boolean =>
  kind === 'KAFKA' && values.until === 'canceled';

/** Returns what is missing in the choice of how and when records are written, or undefined. */
export const writeProblem = (draft: SourceImport): string | undefined => {
  const { keyColumns, schedule } = draft;
  if (writeModeOf(draft) === 'upsert' && keyColumns.length === 0) return texts.chooseKey;
  if (schedule === undefined) return undefined;
  if (isEndless(draft)) return texts.scheduleNeedsEnd;
  return scheduleProblem(schedule);
};
