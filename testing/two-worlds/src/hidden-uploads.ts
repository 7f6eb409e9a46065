import { innerDocumentId } from '@redoubt/file-formats';
import type { VisibleWorld } from './visible-world.ts';
import { makeMail } from '@redoubt/file-formats/testing';
import { onePagePdf } from '@redoubt/testkit';
import { done, uploadRequest, type Send } from '@redoubt/testkit/requests';

/** A mail whose attachment is a PDF. */
export const mailWithAttachment = makeMail('Zebra', [
  { name: 'notice.pdf', type: 'application/pdf', content: onePagePdf },
]).toString('latin1');

/**
 * Uploads two files of the insider: one with rows that only the insider sees and a rejected row, one that cannot be
 * parsed.
 */
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
  const document = await done<{ files: { id: string }[] }>(
    send,
    uploadRequest(
      insider,
      datasets.shared,
      { 'hidden.md': '# Zebra' },
      {
        securityLabeled: true,
        securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'SECRET' },
      },
      { processAsDocument: 'true' },
    ),
  );
  const mail = await done<{ files: { id: string }[] }>(
    send,
    uploadRequest(
      insider,
      datasets.shared,
      { 'hidden.eml': mailWithAttachment },
      {
        securityLabeled: true,
        securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'SECRET' },
      },
      { processAsDocument: 'true' },
    ),
  );
  return {
    ingestJob: upload.jobId,
    upload: upload.uploadId,
    uploadFile: upload.files[0]?.id ?? 'none',
    document: document.files[0]?.id ?? 'none',
    attachment: innerDocumentId(mail.files[0]?.id ?? 'none', '1'),
  };
};

/** Uploads a file of the insider with rows visible to the reader, and in the second world also hidden rows. */
export const uploadMixed = async (
  send: Send,
  { people: { insider }, datasets }: VisibleWorld,
  isSecond: boolean,
): Promise<{ jobId: string; uploadId: string }> => {
  // The hidden rows come last: the id of a row depends on its place in the block.
  const hidden = isSecond ? 'mixed three,SECRET\nmixed four,GAMMA&SECRET\nmixed five,A&\n' : '';
  const { jobId, uploadId } = await done<{ jobId: string; uploadId: string }>(
    send,
    uploadRequest(insider, datasets.shared, {
      'mixed.csv': `note,label\nmixed one,ALPHA\nmixed two,ALPHA\n${hidden}`,
    }),
  );
  return { jobId, uploadId };
};
