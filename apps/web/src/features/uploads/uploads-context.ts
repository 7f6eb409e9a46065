import type { AccessControlLabel, FileOptions } from '@redoubt/contract';
import { createContext, useContext } from 'react';

/** The content of an upload. */
export interface UploadOrder {
  datasetId: string;
  datasetName: string;
  files: readonly File[];
  fileOptions: FileOptions;
  label: AccessControlLabel | undefined;
  /** Whether each page of the files becomes a record, instead of each row. */
  isDocument: boolean;
  /** The languages of text in images; none for those of the server. */
  ocrLanguages: readonly string[];
}

/** An upload of this page. Once `jobId` is known, the progress is that of the job. */
export interface Upload {
  readonly id: string;
  readonly datasetId: string;
  readonly datasetName: string;
  readonly fileCount: number;
  readonly sent: number;
  readonly total: number;
  readonly state: 'sending' | 'received' | 'failed' | 'canceled';
  readonly jobId?: string;
  readonly error?: unknown;
}

export interface Uploads {
  readonly all: readonly Upload[];
  start(order: UploadOrder): void;
  /** Aborts the request. The server stores nothing of an incomplete request. */
  cancelSending(id: string): void;
  /** Sends the files of an upload again after its request failed or was canceled. */
  retry(id: string): void;
  dismiss(id: string): void;
}

export const UploadsContext = createContext<Uploads | undefined>(undefined);

export const useUploads = (): Uploads => {
  const uploads = useContext(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads needs an UploadsProvider above it');
  return uploads;
};
