import type { RecordStream } from '@redoubt/records';

const newline = 0x0a;

/**
 * Adds to each record the fields that every response about documents contains. A record keeps its exact text, and a
 * field that the record has already is not added.
 * @param lines records separated by newlines, each with its record id
 * @param keepsId whether the request asked for the record id
 */
export async function* documentRows(lines: RecordStream, keepsId: boolean): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  let separator = '';
  for await (const chunk of lines) {
    const text = Buffer.concat([rest, chunk]);
    const end = text.lastIndexOf(newline);
    rest = text.subarray(end + 1);
    const whole = text.toString('utf8', 0, Math.max(end, 0));
    for (const line of whole.split('\n')) {
      if (line === '') continue;
      yield Buffer.from(`${separator}${documentText(line, keepsId)}`);
      separator = ',';
    }
  }
  if (rest.length > 0) yield Buffer.from(`${separator}${documentText(rest.toString('utf8'), keepsId)}`);
}

function documentText(record: string, keepsId: boolean): string {
  const fields = JSON.parse(record) as Record<string, unknown>;
  const recordId = String(fields['_koverse_record_id']);
  const own = keepsId ? record : record.replace(/,"_koverse_record_id":"[^"]*"}$/, '}');
  const added = {
    ...(Object.hasOwn(fields, 'documentConversionType') ? {} : { documentConversionType: 'NONE' }),
    ...(Object.hasOwn(fields, 'previewBytes') ? {} : { previewBytes: null }),
    documentRowId: recordId,
  };
  return `${own.slice(0, -1)},${JSON.stringify(added).slice(1)}`;
}
