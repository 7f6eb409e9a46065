import { createRecordFixture, type RecordFixture, type TestPerson } from '@redoubt/testkit';

/** A dataset of many wide records. */
export interface WideDataset {
  fixture: RecordFixture;
  reader: TestPerson;
  id: string;
}

const columns = 100;
const recordsPerWrite = 5000;
const words = ['runway', 'closed', 'open', 'Łódź', '東京', 'taxiway', ''];

/** Short numbers and texts, as tables have them, with some values missing. */
const recordOf = (n: number): string => {
  const values = Array.from({ length: columns }, (_, at) => {
    const name = `"c${String(at).padStart(2, '0')}"`;
    if (at === 0) return `${name}:${String(n)}`;
    const value = (n * (at + 7) * 2654435761) % 10_007;
    if (value % 50 === 0) return `${name}:null`;
    return at % 3 === 0
      ? `${name}:"${words[value % words.length] ?? ''} ${String(value % 100)}"`
      : `${name}:${String(value)}`;
  });
  return `{${values.join(',')}}`;
};

/** Fills a dataset with records of 100 fields. */
export const fillDataset = async (
  server: { url: string },
  rows: number,
  onProgress: (written: number) => void,
): Promise<WideDataset> => {
  const fixture = await createRecordFixture(server);
  const reader = await fixture.newReader();
  const id = await fixture.dataset(['read'], { name: 'Wide' });
  for (let from = 0; from < rows; from += recordsPerWrite) {
    const count = Math.min(recordsPerWrite, rows - from);
    const list = Array.from({ length: count }, (_, at) => recordOf(from + at)).join(',');
    const { status, text } = await fixture.write(id, `[${list}]`);
    if (status !== 200) throw new Error(`The write must succeed, got ${String(status)}: ${text}`);
    onProgress(from + count);
  }
  return { fixture, reader, id };
};
