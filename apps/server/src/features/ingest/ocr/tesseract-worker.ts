import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { LibraryTask } from './tesseract-library.ts';

/**
 * The program of a process that recognises text with Tesseract in WebAssembly. It writes what the program of the same
 * name writes, and may open no file but the code and the data of Tesseract.
 */
const require = createRequire(import.meta.url);

/** What is used of Tesseract's interface. */
interface Tesseract {
  FS: { writeFile(path: string, content: Uint8Array): void };
  TessBaseAPI: new () => TessBaseApi;
  OSResults: new () => { best_result: { orientation_id: number; oconfidence: number } };
}
interface TessBaseApi {
  Init(folder: string | null, language: string, engineMode: number): number;
  SetVariable(name: string, value: string): void;
  /** Reads `/input`. Returns 1 if it cannot. */
  SetImageFile(orientation: number, radians: number): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  DetectOS(results: object): boolean;
}

/** Tesseract's modes of its engine: legacy patterns, which orientation needs, and the neural network. */
const engineModes = { legacy: 0, network: 1 } as const;
/** Degrees by the number that Tesseract gives an orientation: how the page is to be turned. */
const turns = [0, 270, 180, 90] as const;

const dataFolder = dirname(dirname(require.resolve('@tesseract.js-data/osd/package.json')));

const dataOf = (language: string): Buffer =>
  gunzipSync(readFileSync(join(dataFolder, language, '4.0.0_best_int', `${language}.traineddata.gz`)));

const task = JSON.parse(await text(process.stdin)) as LibraryTask;
const load = require('tesseract.js-core/tesseract-core-simd.js') as (options: object) => Promise<Tesseract>;
const tesseract = await load({ print: () => undefined, printErr: () => undefined });

const open = (languages: readonly string[], mode: number): TessBaseApi => {
  for (const language of languages) tesseract.FS.writeFile(`${language}.traineddata`, dataOf(language));
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, languages.join('+'), mode) !== 0) throw new Error('Tesseract could not read its data.');
  tesseract.FS.writeFile('/input', Buffer.from(task.pgm, 'base64'));
  return api;
};

const readImage = (api: TessBaseApi): void => {
  if (api.SetImageFile(1, 0) === 1) throw new Error('Tesseract could not read the image.');
};

const writeOrientation = (): string => {
  const api = open(['osd'], engineModes.legacy);
  api.SetVariable('tessedit_pageseg_mode', '0');
  readImage(api);
  const results = new tesseract.OSResults();
  if (!api.DetectOS(results)) return '';
  const { orientation_id: orientation, oconfidence } = results.best_result;
  return `Rotate: ${String(turns[orientation] ?? 0)}\nOrientation confidence: ${oconfidence.toFixed(2)}\n`;
};

const writeText = (): string => {
  const api = open(task.languages, engineModes.network);
  api.SetVariable('tessedit_pageseg_mode', '3');
  readImage(api);
  api.Recognize(null);
  return api.GetTSVText(0);
};

process.stdout.write(task.kind === 'orientation' ? writeOrientation() : writeText());
