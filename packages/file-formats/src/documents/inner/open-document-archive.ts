import {
  isSystemFile,
  leavesFolder,
  type ArchiveFile,
  type ArchiveFiles,
} from '../../archives/archive-file.ts';
import type { OpenedFile, RejectedRow, Row, RowBatch } from '../../file-format.ts';
import { FileParseError } from '../../file-parse-error.ts';
import type { OpenContext } from '../../open-context.ts';
import { rejectRow } from '../../rows/reject-row.ts';
import { createPasses, ExpansionError, type ReadPass } from '../../sources/read-pass.ts';
import { readWhole } from '../../sources/seekable-source.ts';
import { cleanText } from './document-name.ts';
import { pageRow } from '../document-page.ts';
import { innerRows } from './inner-rows.ts';

/**
 * Opens a zip archive of documents. Each file is a document inside it. A file that cannot be unpacked is a rejected row.
 * @param paths the paths of its files
 * @throws FileParseError when the archive is an attack or has no files
 */
export function openDocumentArchive(
  files: ArchiveFiles,
  paths: ReadonlySet<string>,
  context: OpenContext,
): OpenedFile {
  const { limits, options, inner: usage } = context;
  const { fileName } = options;
  requireHarmless(paths, context);
  if (usage !== undefined) usage.documents += paths.size;

  /** The bytes of a file, or why it cannot be unpacked. */
  async function contentOf({ problem, source }: ArchiveFile, pass: ReadPass): Promise<Buffer | string> {
    if (problem !== undefined) return problem;
    try {
      return await readWhole(source, pass, limits, fileName);
    } catch (error) {
      if (error instanceof FileParseError && !(error instanceof ExpansionError)) return error.text;
      throw error;
    }
  }

  async function* rows(): AsyncGenerator<RowBatch> {
    // All files of the archive count towards the same limits.
    const pass = createPasses(limits, fileName)(true);
    let number = 0;
    let count = 0;
    for await (const file of files(pass)) {
      number++;
      if (isSystemFile(file.path)) continue;
      const step = `z${String(number)}`;
      const name = cleanText(file.path);
      const content = await contentOf(file, pass);
      if (typeof content === 'string') {
        count++;
        yield [missingFile(content, step, name, context)];
        continue;
      }
      for await (const batch of innerRows({ step, name, content }, context, count)) {
        count += batch.length;
        yield batch;
      }
    }
  }
  return { format: 'zip', containers: [], rows };
}

/** An archive inside a document has no rejected rows: they would keep that document's file from everybody. */
const missingFile = (
  reason: string,
  path: string,
  name: string,
  { inner, limits }: OpenContext,
): Row | RejectedRow =>
  inner === undefined
    ? { ...rejectRow(0, 0, `the file cannot be read: ${reason}`, ''), file: name }
    : { ...pageRow(1, '', limits, name, { error: reason }), begins: { path, name, format: 'other' } };

/** @throws FileParseError */
function requireHarmless(paths: ReadonlySet<string>, { limits, options, inner: usage }: OpenContext): void {
  const { fileName } = options;
  const leaving = [...paths].find(leavesFolder);
  if (leaving !== undefined)
    throw new FileParseError(
      fileName,
      0,
      `it contains the path ${JSON.stringify(leaving)}, which leaves its folder.`,
    );
  const max = usage === undefined ? limits.maxArchiveFiles : limits.maxInnerDocuments - usage.documents;
  if (paths.size > max)
    throw new FileParseError(fileName, 0, `it contains more than ${String(max)} files. Split the archive.`);
  if (paths.size === 0) throw new FileParseError(fileName, 0, 'the archive contains no files.');
}
