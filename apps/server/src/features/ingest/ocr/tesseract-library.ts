import type { PageScan } from '@redoubt/file-formats';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startConfinedProcess } from '../parser/confined-process.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import { languagesAmong } from './ocr-languages.ts';
import { toPgm } from './pgm.ts';
import type { OcrEngine } from './recognizer.ts';
import { ConfinedProcessError, runConfined } from './run-confined.ts';
import { parseOrientation } from './tesseract-output.ts';

/** What a process with the library is to do with an image. */
export interface LibraryTask {
  kind: 'orientation' | 'text';
  /** The image as PGM, in base64. */
  pgm: string;
  /** The languages of a text. */
  languages: readonly string[];
}

const program = fileURLToPath(new URL('./tesseract-worker.ts', import.meta.url));
const readable = [
  'package.json',
  'apps/server/package.json',
  'apps/server/src/features/ingest/ocr/',
  'apps/server/node_modules/',
  'node_modules/tesseract.js-core/',
  'node_modules/@tesseract.js-data/',
];
const heapMegabytes = 700;
/** The folder of the packages with data: one for each language that is installed. */
const dataFolder = dirname(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/osd/package.json')),
);

/** Tesseract in WebAssembly, for systems without the program. A process for each pass, so that pages share no memory. */
export const createTesseractLibrary = (host: () => Promise<ParserHost>): OcrEngine => {
  const run = async (
    kind: LibraryTask['kind'],
    image: PageScan,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<string> => {
    const confined = await host();
    const task: LibraryTask = { kind, languages, pgm: toPgm(image).toString('base64') };
    const child = startConfinedProcess({
      prefix: confined.prefix,
      program,
      readable,
      heapMegabytes,
      task,
      signal,
    });
    const output = await runConfined(confined, child, signal);
    if (output === undefined) throw new ConfinedProcessError('it ended with an error');
    return output.toString('utf8');
  };
  return {
    name: 'tesseract.js',
    languages: languagesAmong(readdirSync(dataFolder)),
    findTurn: async (image, signal) => parseOrientation(await run('orientation', image, [], signal)),
    read: (image, languages, signal) => run('text', image, languages, signal),
  };
};
