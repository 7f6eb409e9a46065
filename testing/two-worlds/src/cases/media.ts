import type { mediaRoutes } from '@redoubt/contract';
import { innerDocumentId } from '@redoubt/file-formats';
import { onePagePdf } from '@redoubt/testkit';
import { as, bodyOf, done, uploadRequest, type SendToBoth } from '@redoubt/testkit/requests';
import type { Case } from '../case.ts';
import { mailWithAttachment } from '../hidden-uploads.ts';
import type { Scenario } from '../scenario.ts';

const allRecords = (label: string): object => ({
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
});

/** Uploads a document as the reader and waits until its address exists. Returns its id. */
const uploadedDocument = async (
  send: SendToBoth,
  { people: { reader }, datasets }: Scenario,
  label: string,
  document: Readonly<Record<string, string>> = { 'notice.md': '# Runway' },
): Promise<string> => {
  const request = uploadRequest(reader, datasets.notes, document, allRecords(label), {
    processAsDocument: 'true',
  });
  const { files } = await done<{ files: { id: string }[] }>(send, request);
  return files[0]?.id ?? 'none';
};

/** Uploads a mail with an attachment for each of two labels. Returns the ids of the attachments. */
const uploadedAttachments = async (send: SendToBoth, scenario: Scenario): Promise<string[]> => {
  const ids: string[] = [];
  for (const label of ['ALPHA', 'SECRET']) {
    const mail = await uploadedDocument(send, scenario, label, { 'notice.eml': mailWithAttachment });
    ids.push(innerDocumentId(mail, '1'));
  }
  return ids;
};

const lookup = (datasetId: string, documentId: string): string =>
  `/serve-media/${datasetId}?documentId=${documentId}`;

const pageOf = (datasetId: string, documentId: string, page = 1): string =>
  `/document-pages/${datasetId}?documentId=${documentId}&page=${String(page)}`;

export const mediaCases: Record<keyof typeof mediaRoutes, Case> = {
  serveMedia: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const { reader, writer, loner, outsider } = people;
    const visible = await uploadedDocument(send, scenario, 'ALPHA');
    const written = await uploadedDocument(send, scenario, 'SECRET');
    for (const person of [reader, writer, loner, outsider])
      for (const id of [visible, written]) await send(as(person).get(lookup(datasets.notes, id)));
    const attachments = await uploadedAttachments(send, scenario);
    for (const person of [reader, writer, loner, outsider])
      for (const id of attachments)
        for (const options of ['', '&preview=true'])
          await send(as(person).get(`${lookup(datasets.notes, id)}${options}`));
    for (const id of [hidden.document, hidden.attachment]) {
      const forged = { document_id: id, page: 1, text: 'forged', documentConversionType: 'PDF_PREVIEW' };
      await send(as(reader).post(`/write/${datasets.notes}?isAsync=false`, [forged]));
      await send(as(reader).post(`/write/${datasets.shared}?isAsync=false`, [forged]));
    }
    const found = { datasetId: datasets.shared, expression: 'text:forged', limit: -1 };
    await send(as(reader).post('/query/document/lucene', found));
    for (const id of [hidden.document, hidden.attachment, hidden.uploadFile, visible, 'none']) {
      for (const datasetId of [
        datasets.shared,
        datasets.notes,
        hidden.dataset,
        hidden.foreignDataset,
        'none',
      ])
        await send(as(reader).get(lookup(datasetId, id)));
      await send(as(reader).get(`${lookup(datasets.shared, id)}&download=true`));
      await send(as(reader).get(`${lookup(datasets.shared, id)}&preview=true&page=1`));
    }
    await send(as(reader).get(`/serve-media/${datasets.shared}`));
  },
  getDocumentPage: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const { reader, writer, loner, outsider } = people;
    const visible = await uploadedDocument(send, scenario, 'ALPHA', { 'notice.pdf': onePagePdf });
    const written = await uploadedDocument(send, scenario, 'SECRET', { 'notice.pdf': onePagePdf });
    for (const person of [reader, writer, loner, outsider])
      for (const id of [visible, written]) await send(as(person).get(pageOf(datasets.notes, id)));
    for (const id of [hidden.document, hidden.attachment, hidden.uploadFile, visible, 'none'])
      for (const datasetId of [datasets.shared, hidden.dataset, hidden.foreignDataset, 'none'])
        await send(as(reader).get(pageOf(datasetId, id)));
    for (const person of [reader, writer, loner, outsider])
      for (const id of await uploadedAttachments(send, scenario))
        await send(as(person).get(pageOf(datasets.notes, id)));
    await send(as(reader).get(pageOf(datasets.notes, visible, 2)));
    await send(as(reader).get(pageOf(datasets.notes, visible, 0)));
  },
  getMediaFile: async (send, scenario) => {
    const { people, datasets } = scenario;
    const pictured = await uploadedDocument(send, scenario, 'ALPHA', { 'notice.pdf': onePagePdf });
    const preview = await send(as(people.reader).get(`${lookup(datasets.notes, pictured)}&preview=true`));
    const picture = new URL((bodyOf(preview) as { url: string }).url).pathname;
    for (const person of [people.reader, people.outsider]) await send(as(person).get(picture));
    const visible = await uploadedDocument(send, scenario, 'ALPHA');
    const response = await send(as(people.reader).get(lookup(datasets.notes, visible)));
    const { url } = bodyOf(response) as { url: string };
    const { pathname } = new URL(url);
    const [attachment = ''] = await uploadedAttachments(send, scenario);
    const attached = bodyOf(await send(as(people.reader).get(lookup(datasets.notes, attachment)))) as {
      url: string;
    };
    for (const person of [people.reader, people.outsider])
      await send(as(person).get(new URL(attached.url).pathname));
    for (const person of [people.reader, people.outsider]) {
      await send(as(person).get(pathname));
      for (const range of ['bytes=2-4', 'bytes=1000-'])
        await send({ ...as(person).get(pathname), headers: { range } });
      await send(as(person).get('/media-files/none'));
    }
  },
};
