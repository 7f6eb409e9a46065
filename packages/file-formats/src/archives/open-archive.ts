import type { OpenedFile, RowBatch } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import { insideOf, type OpenContext } from '../open-context.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { createRowCounter } from '../rows/row-counter.ts';
import { createPasses, ExpansionError, type ReadPass } from '../sources/read-pass.ts';
import { isSystemFile, leavesFolder, type ArchiveFile, type ArchiveFiles } from './archive-file.ts';

/**
 * Opens an archive. Its rows are the rows of all its files, one file after another. A file that cannot be read counts
 * as one rejected row.
 */
export async function openArchive(
  format: 'zip' | 'tar',
  filesOf: ArchiveFiles,
  context: OpenContext,
): Promise<OpenedFile> {
  const { limits, options } = context;
  const { fileName } = options;

  /** Returns the files that contain data. @throws FileParseError when the archive is an attack or has no files */
  async function* dataFiles(pass: ReadPass): AsyncGenerator<ArchiveFile> {
    let count = 0;
    for await (const file of filesOf(pass)) {
      if (leavesFolder(file.path)) {
        throw new ExpansionError(
          fileName,
          0,
          `it contains the path ${JSON.stringify(file.path)}, which leaves its folder.`,
        );
      }
      if (++count > limits.maxArchiveFiles) {
        throw new ExpansionError(
          fileName,
          0,
          `it contains more than ${String(limits.maxArchiveFiles)} files. Split the archive.`,
        );
      }
      if (!isSystemFile(file.path)) yield file;
    }
    if (count === 0) throw new FileParseError(fileName, 0, 'the archive contains no files.');
  }

  /** All files of an archive count towards the same limits. */
  function startReading(): { pass: ReadPass; inner: OpenContext } {
    const newPass = context.depth === 0 ? createPasses(limits, fileName) : context.newPass;
    return { pass: newPass(true), inner: { ...context, newPass } };
  }

  async function openFirst(): Promise<Partial<OpenedFile>> {
    const { pass, inner } = startReading();
    for await (const { path, source, problem } of dataFiles(pass)) {
      if (problem !== undefined) continue;
      try {
        const { encoding, dialect, columns, sourceColumns } = await context.open(
          source,
          insideOf(inner, path),
        );
        return {
          ...(encoding === undefined ? {} : { encoding }),
          ...(dialect === undefined ? {} : { dialect }),
          ...(columns === undefined ? {} : { columns }),
          ...(sourceColumns === undefined ? {} : { sourceColumns }),
        };
      } catch (error) {
        if (!isErrorOfOneFile(error)) throw error;
      }
    }
    return {};
  }

  async function* rows(): AsyncGenerator<RowBatch> {
    const { pass, inner } = startReading();
    const counter = createRowCounter(limits, fileName);
    for await (const file of dataFiles(pass)) {
      for await (const batch of rowsOf(file, inner)) yield counter.count(batch);
    }
  }

  const first = await openFirst();
  return { ...first, format, containers: [], rows };
}

const isErrorOfOneFile = (error: unknown): error is FileParseError =>
  error instanceof FileParseError && !(error instanceof ExpansionError);

async function* rowsOf(
  { path, source, problem }: ArchiveFile,
  context: OpenContext,
): AsyncGenerator<RowBatch> {
  const rejectFile = (line: number, reason: string): RowBatch => [
    {
      ...rejectRow(line, 0, `the file cannot be read${line > 0 ? ' from here on' : ''}: ${reason}`, ''),
      file: path,
    },
  ];
  if (problem !== undefined) {
    yield rejectFile(0, problem);
    return;
  }
  try {
    const opened = await context.open(source, insideOf(context, path));
    for await (const batch of opened.rows()) {
      yield batch.map((row) => ({ ...row, file: row.file === undefined ? path : `${path}/${row.file}` }));
    }
  } catch (error) {
    if (!isErrorOfOneFile(error)) throw error;
    yield rejectFile(error.line, error.text);
  }
}
