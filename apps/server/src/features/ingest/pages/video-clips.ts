import { existsSync } from 'node:fs';
import { startConfinedCommand } from '../parser/confined-process.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import { ConfinedProcessError, runConfined } from '../ocr/run-confined.ts';

const places = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'];

/** The demuxers of ffmpeg by our formats. It never guesses a format, since many of its demuxers open other files. */
const demuxers: Readonly<Record<string, string>> = { mp4: 'mov', mov: 'mov', webm: 'matroska' };

/** The first seconds as WebM, and the first picture as JPEG. */
const outputs = {
  page: [
    '-t',
    '5',
    '-an',
    '-sn',
    '-dn',
    '-vf',
    "scale='min(640,iw)':-2",
    '-c:v',
    'libvpx',
    '-b:v',
    '600k',
    '-threads',
    '1',
    '-f',
    'webm',
  ],
  thumbnail: ['-frames:v', '1', '-vf', "scale='min(400,iw)':-2", '-c:v', 'mjpeg', '-f', 'image2pipe'],
} as const;

const isOutput = {
  page: (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === '\x1a\x45\xdf\xa3',
  thumbnail: (bytes: Buffer): boolean => bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff',
} as const;

/** Makes previews of videos by the ffmpeg of the system. */
export interface VideoClips {
  /** Whether a file of this format can have a preview on this system. */
  canClip(format: string): boolean;
  /** @returns undefined if the video cannot be read */
  clip(
    descriptor: number,
    format: string,
    size: keyof typeof outputs,
    signal: AbortSignal,
  ): Promise<Buffer | undefined>;
}

export const createVideoClips = (host: () => Promise<ParserHost>): VideoClips => {
  const program = places.find((path) => existsSync(path));
  const canClip = (format: string): boolean => program !== undefined && Object.hasOwn(demuxers, format);
  return {
    canClip,
    clip: async (descriptor, format, size, signal) => {
      const demuxer = demuxers[format];
      if (program === undefined || demuxer === undefined) return undefined;
      const confined = await host();
      const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-threads', '1'];
      const input = ['-protocol_whitelist', 'file', '-f', demuxer, '-i', 'file:/dev/fd/3'];
      const child = startConfinedCommand({
        words: [...confined.prefix, program, ...quiet, ...input, ...outputs[size], 'pipe:1'],
        input: '',
        signal,
        descriptor,
      });
      try {
        const output = await runConfined(confined, child, signal);
        return output !== undefined && isOutput[size](output) ? output : undefined;
      } catch (error) {
        if (error instanceof ConfinedProcessError) return undefined;
        throw error;
      }
    },
  };
};
