import type { VisibleWorld } from './visible-world.ts';
import { done, uploadRequest, type Send } from '@redoubt/testkit/requests';

/** Files of the insider: with rows that they alone see, a row that is rejected, and one file that cannot be read. */
export const hideUploads = async (
  send: Send,
  { people: { insider }, datasets }: VisibleWorld,
  hiddenDataset: string,
) => {
  const files = {
    'hidden-a.csv': 'note,label\nzebra one,SECRET\nzebra two,SECRET\nzebra three,A&\n',
    'hidden-b.csv': 'note,label\nzebra four,SECRET&GAMMA\n',
  };
  const upload = await done<{ jobId: string; uploadId: string; files: { id: string }[] }>(
    send,
    uploadRequest(insider, datasets.shared, files),
  );
  await done(send, uploadRequest(insider, hiddenDataset, files));
  return {
    ingestJob: upload.jobId,
    upload: upload.uploadId,
    uploadFile: upload.files[0]?.id ?? 'none',
  };
};
