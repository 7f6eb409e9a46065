import { FileParseError, openDocument, openFile, type ByteSource } from '@redoubt/file-formats';
import { fstatSync, read, readSync } from 'node:fs';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { ParserTask } from './parser-messages.ts';

/**
 * The program of a parser process: it reads the file that is open as descriptor 3, and writes its rows to standard
 * output. It has no environment variables and may open no other file.
 */
const descriptor = 3;
/** Number of characters that are written at once. */
const writtenAtOnce = 256 * 1024;
/** Number of bytes that are read at once. */
const readAtOnce = 256 * 1024;

const readBytes = promisify(read);

const task = JSON.parse(await text(process.stdin)) as ParserTask;
let bytesRead = 0;

const source: ByteSource = {
  size: fstatSync(descriptor).size,
  async *stream(from = 0) {
    // A stream of Node.js would close the descriptor when its reader stops early, as detection of the format does.
    for (let position = from; ;) {
      const { buffer, bytesRead: count } = await readBytes(descriptor, {
        buffer: Buffer.allocUnsafe(readAtOnce),
        position,
      });
      if (count === 0) return;
      position += count;
      bytesRead = position;
      yield buffer.subarray(0, count);
    }
  },
  readAt(offset, length) {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    bytesRead = Math.min(this.size, bytesRead + filled);
    return bytes.subarray(0, filled);
  },
};

let waiting = '';

const flush = async (): Promise<void> => {
  const text = waiting;
  waiting = '';
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
};

const send = async (line: string): Promise<void> => {
  waiting += `${line}\n`;
  if (waiting.length >= writtenAtOnce) await flush();
};

const openTask = (): ReturnType<typeof openFile> => {
  const options = {
    ...task.reading,
    requiredColumns: task.requiredColumns,
    labelFields: task.labelFields,
    scansFrom: task.scansFrom,
    fileName: `file${task.extension}`,
  };
  return task.isDocument ? openDocument(source, options) : openFile(source, options);
};

const parse = async (): Promise<void> => {
  const file = await openTask();
  const { format, containers, encoding, dialect, columns, sourceColumns } = file;
  await send(`O${JSON.stringify({ format, containers, encoding, dialect, columns, sourceColumns })}`);
  // Report the format at once: for some formats, the server allows a longer time without output.
  await flush();
  let inside: string | undefined;
  for await (const batch of file.rows()) {
    for (const item of batch) {
      const { line, offset } = item;
      if (item.file !== inside) {
        inside = item.file;
        await send(`I${JSON.stringify(inside ?? null)}`);
      }
      if (item.kind === 'row' && item.begins !== undefined) await send(`D${JSON.stringify(item.begins)}`);
      if (item.kind === 'row' && item.scan !== undefined) {
        const { width, height, gray } = item.scan;
        await send(`G${String(width)},${String(height)},${Buffer.from(gray).toString('base64')}`);
      }
      await send(
        item.kind === 'row'
          ? `R${String(line)},${String(offset)},${item.json}`
          : `X${JSON.stringify({ line, offset, reason: item.reason, text: item.text, fields: item.fields })}`,
      );
    }
    await send(`P${String(bytesRead)}`);
  }
  await send('E');
};

try {
  await parse();
} catch (error) {
  if (!(error instanceof FileParseError)) throw error;
  await send(`F${JSON.stringify({ line: error.line, text: error.text })}`);
}
await flush();
