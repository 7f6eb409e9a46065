import type { AccessControlLabel, FileOptions } from '@redoubt/contract';
import { createContext, useContext } from 'react';

/** What is uploaded. */
export interface UploadOrder {
  datasetId: string;
  datasetName: string;
  files: readonly File[];
  fileOptions: FileOptions;
  label: AccessControlLabel | undefined;
}

/** An upload of this page, until its job is known; then the job says how far it is. */
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
  /** Stops the sending. The server stores nothing of a request that is cut. */
  cancelSending(id: string): void;
  /** Sends the files of an upload again, whose sending failed or was canceled. */
  retry(id: string): void;
  dismiss(id: string): void;
}

export const UploadsContext = createContext<Uploads | undefined>(undefined);

export const useUploads = (): Uploads => {
  const uploads = useContext(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads needs an UploadsProvider above it');
  return uploads;
};
