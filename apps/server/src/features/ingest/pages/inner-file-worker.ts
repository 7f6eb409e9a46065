import { FileParseError, readInnerDocument, type ByteSource } from '@redoubt/file-formats';
import { fstatSync, readSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { InnerFileTask } from './inner-files.ts';

/**
 * The program of a process that copies a document out of the file that is open as descriptor 3, to standard output. It has
 * no environment variables and may open no other file.
 */
const descriptor = 3;
const readAtOnce = 256 * 1024;
/** The status of a process that could not do its work. */
const noDocument = 2;

const { path } = JSON.parse(await text(process.stdin)) as InnerFileTask;

const source: ByteSource = {
  size: fstatSync(descriptor).size,
  async *stream(from = 0) {
    for (let position = from; ;) {
      const buffer = Buffer.allocUnsafe(readAtOnce);
      const count = readSync(descriptor, buffer, 0, readAtOnce, position);
      if (count === 0) return;
      position += count;
      yield buffer.subarray(0, count);
    }
  },
};

const copy = async (): Promise<Uint8Array | undefined> => {
  try {
    return await readInnerDocument(source, path);
  } catch (error) {
    if (error instanceof FileParseError) return undefined;
    throw error;
  }
};

const bytes = await copy();
if (bytes === undefined) process.exitCode = noDocument;
else process.stdout.write(bytes);
