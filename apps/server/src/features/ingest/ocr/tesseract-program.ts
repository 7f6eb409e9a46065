import type { PageScan } from '@redoubt/file-formats';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { startConfinedCommand } from '../parser/confined-process.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import { languagesAmong } from './ocr-languages.ts';
import { toPgm } from './pgm.ts';
import type { OcrEngine } from './recognizer.ts';
import { runConfined } from './run-confined.ts';
import { parseOrientation } from './tesseract-output.ts';

const places = ['/usr/bin/tesseract', '/usr/local/bin/tesseract', '/opt/homebrew/bin/tesseract'];
/** More threads make a page slower, and take the processors from requests. */
const env = { OMP_THREAD_LIMIT: '1' };

/** The Tesseract of the system. @returns undefined if it is not installed, or lacks its data */
export const findTesseract = async (host: () => Promise<ParserHost>): Promise<OcrEngine | undefined> => {
  const program = places.find((path) => existsSync(path));
  if (program === undefined) return undefined;
  const installed = await installedOf(program);
  if (installed === undefined) return undefined;
  const run = async (image: PageScan, args: readonly string[], signal: AbortSignal) => {
    const confined = await host();
    const words = [...confined.prefix, program, 'stdin', 'stdout', ...args];
    const child = startConfinedCommand({ words, env, input: toPgm(image), signal });
    return (await runConfined(confined, child, signal))?.toString('utf8');
  };
  return {
    name: `tesseract ${installed.version}`,
    languages: languagesAmong(installed.data),
    // It fails for a page with too few characters.
    findTurn: async (image, signal) => parseOrientation((await run(image, ['--psm', '0'], signal)) ?? ''),
    read: (image, languages, signal) => run(image, ['--psm', '3', '-l', languages.join('+'), 'tsv'], signal),
  };
};

const installedOf = async (program: string): Promise<{ version: string; data: string[] } | undefined> => {
  const run = promisify(execFile);
  try {
    const { stdout } = await run(program, ['--list-langs'], { env });
    const data = stdout.split('\n').map((line) => line.trim());
    if (!data.includes('osd') || languagesAmong(data).length === 0) return undefined;
    const { stdout: version } = await run(program, ['--version'], { env });
    return { version: /^tesseract v?([\w.]+)/.exec(version)?.[1] ?? 'of an unknown version', data };
  } catch {
    return undefined;
  }
};
