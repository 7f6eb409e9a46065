import type { TextPart, UploadResult } from '@redoubt/contract';
import { badField, tooLarge, unauthenticated } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { Part } from '../../platform/http/multipart/multipart.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob } from '../jobs/index.ts';
import type { AddColumnLabels } from '../records/index.ts';
import {
  optionParts,
  parseColumnLabels,
  parseCustomMetadata,
  parseFlag,
  parseOcrLanguages,
  parseOptionParts,
  parseWriteParts,
  writeParts,
} from './ingest-options.ts';
import type { NewFile } from './ingest.repository.ts';
import { measureBytes } from './measure-bytes.ts';
import type { ObjectDrops } from './object-drops.ts';
import type { RequireInstalled } from './ocr/ocr-languages.ts';
import { receiveParts } from './receive-parts.ts';
import { startIngestJob } from './start-ingest-job.ts';

export interface UploadService {
  /** Stores the files of a multipart body and starts the job that reads them, once all of it has arrived. */
  receive(actor: Member, parts: AsyncIterable<Part>): Promise<UploadResult>;
}

export interface UploadServiceDeps extends Pick<Runtime, 'clock' | 'ids'> {
  access: Pick<DatasetAccess, 'requireCall'>;
  addColumnLabels: AddColumnLabels;
  files: Pick<ObjectStore, 'put'>;
  drops: Pick<ObjectDrops, 'announce' | 'giveUp'>;
  startJob: StartJob;
  /** Maximum number of bytes of the files of one request. */
  maxUploadBytes: number;
  reauthenticate: ReauthenticateActor;
  requireInstalled: RequireInstalled;
}

const uploadTexts = [
  'datasetId',
  ...optionParts,
  ...writeParts,
  'columnSecurityLabelInfo',
  'customMetadata',
  'processAsDocument',
  'ocrLanguages',
] as const satisfies readonly TextPart[];

/** The name of a file in the object store. It contains nothing of the name that the person sent. */
const objectNameOf = (uploadId: string, number: number): string => `uploads/${uploadId}/${String(number)}`;

export const createUploadService = ({
  access,
  addColumnLabels,
  files,
  drops,
  startJob,
  maxUploadBytes,
  reauthenticate,
  requireInstalled,
  clock,
  ids,
}: UploadServiceDeps): UploadService => {
  const receiveAll = async (
    actor: Member,
    parts: AsyncIterable<Part>,
    uploadId: string,
    announced: string[],
  ): Promise<UploadResult> => {
    const received: (NewFile & { stored: NonNullable<NewFile['stored']> })[] = [];
    let total = 0;

    const store = async (name: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
      const objectName = objectNameOf(uploadId, received.length);
      await drops.announce(objectName);
      announced.push(objectName);
      const { chunks, measured } = measureBytes(content, (length) => {
        total += length;
        if (total <= maxUploadBytes) return;
        throw tooLarge(
          `The files are larger than ${maxUploadBytes} bytes together. Send them in several requests.`,
        );
      });
      await files.put(objectName, chunks);
      const stored = { objectName, ...measured() };
      received.push({ id: ids.uuid(), segmentId: ids.uuid(), name, stored });
    };

    const texts = await receiveParts(parts, {
      names: uploadTexts,
      // Check the right to write before anything more is received.
      dataset: async (datasetId) => {
        await access.requireCall(actor, datasetId, 'createUpload');
      },
      file: store,
    });
    const sentId = texts.get('datasetId');
    if (sentId === undefined)
      throw badField('datasetId', 'must be the id of a dataset, got nothing. Send it as a text part.');
    // The credential or the right may have been revoked while the body arrived.
    const present = await reauthenticate(actor);
    if (present === undefined) {
      throw unauthenticated(
        'Your sign-in or API key ended while the files arrived, so nothing was stored. Sign in and send them again.',
      );
    }
    const starter = { ...present, origin: actor.origin };
    const accessible = await access.requireCall(starter, sentId, 'createUpload');
    const { dataset, permissions } = accessible;
    const isDocument = parseFlag('processAsDocument', texts.get('processAsDocument'));
    const ocrLanguages = parseOcrLanguages(texts.get('ocrLanguages'), isDocument);
    const options = {
      ...parseOptionParts(texts, parseWriteParts(texts), isDocument),
      ...(ocrLanguages === undefined ? {} : { ocrLanguages }),
    };
    await requireInstalled(ocrLanguages);
    if (options.write !== undefined) await access.requireCall(starter, sentId, 'deleteRecords');
    const added = parseColumnLabels(texts.get('columnSecurityLabelInfo'), permissions.manage);
    const customMetadata = parseCustomMetadata(texts.get('customMetadata'), isDocument);
    const jobId = ids.uuid();
    const upload = {
      id: uploadId,
      datasetId: dataset.id,
      jobId,
      options,
      customMetadata,
      createdAt: clock.now(),
      files: received,
    };
    // Label the columns before records are stored, so that no reader sees them without their labels.
    await addColumnLabels(starter, accessible, added);
    await startIngestJob(startJob, starter, upload, {});
    return {
      uploadId,
      jobId,
      files: received.map(({ id, name, stored: { size } }) => ({ id, name, size })),
    };
  };

  return {
    receive: async (actor, parts) => {
      const announced: string[] = [];
      try {
        return await receiveAll(actor, parts, ids.uuid(), announced);
      } catch (error) {
        await drops.giveUp(announced);
        throw error;
      }
    },
  };
};
