import { RedoubtError } from '@redoubt/errors';

/** A file, or the rest of a file, cannot be read. The message is for the person who sent the file. */
export class FileParseError extends RedoubtError {
  readonly file: string;
  /** The line, counted from 1, or 0 where there is none. */
  readonly line: number;
  /** The message without file and line. */
  readonly text: string;

  constructor(file: string, line: number, text: string) {
    super('FileParseError', line > 0 ? `${file}, line ${String(line)}: ${text}` : `${file}: ${text}`);
    this.file = file;
    this.line = line;
    this.text = text;
  }
}
