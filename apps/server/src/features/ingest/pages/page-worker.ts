import { drawPage, FileParseError } from '@redoubt/file-formats';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { DrawnPage, PageTask } from './page-messages.ts';

/**
 * The program of a process that draws a page of a document: it reads the file that is open as descriptor 3 and writes
 * the picture to standard output. It has no environment variables and may open no other file.
 */
const descriptor = 3;

const task = JSON.parse(await text(process.stdin)) as PageTask;

const draw = async (): Promise<DrawnPage | null> => {
  try {
    const page = await drawPage(readFileSync(descriptor), { ...task, fileName: 'file' });
    return page === undefined ? null : { ...page, jpeg: Buffer.from(page.jpeg).toString('base64') };
  } catch (error) {
    if (error instanceof FileParseError) return null;
    throw error;
  }
};

process.stdout.write(JSON.stringify(await draw()));
