import { isAbsolute, relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const maxFiles = 6;

/** Records how long each test file of a step runs. */
export interface FileTimes {
  record(event: TestEvent): void;
  /** A line with the files that took longest; undefined if nothing was recorded. */
  describe(): string | undefined;
}

export function createFileTimes(): FileTimes {
  const ownProcess = new Map<string, number>();
  const sharedProcess = new Map<string, number>();
  return {
    record: (event) => {
      // A file with its own process has a summary; a file that shares a process is a test in it.
      if (event.type === 'test:summary') {
        if (event.data.file !== undefined) ownProcess.set(event.data.file, event.data.duration_ms);
      } else if (
        (event.type === 'test:pass' || event.type === 'test:fail') &&
        event.data.nesting === 0 &&
        isAbsolute(event.data.name)
      ) {
        sharedProcess.set(event.data.name, event.data.details.duration_ms);
      }
    },
    describe: () => {
      const longest = [...(sharedProcess.size > 0 ? sharedProcess : ownProcess)]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, maxFiles);
      if (longest.length === 0) return undefined;
      const texts = longest.map(
        ([file, milliseconds]) => `${relative(process.cwd(), file)} ${(milliseconds / 1000).toFixed(0)} s`,
      );
      return `longest: ${texts.join(', ')}`;
    },
  };
}
