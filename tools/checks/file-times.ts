import { isAbsolute, relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const shown = 6;

/** How long each test file of a step has run, so that people see where the time goes. */
export interface FileTimes {
  note(event: TestEvent): void;
  /** The files that took longest, in a line; undefined where nothing was noted. */
  inWords(): string | undefined;
}

export function createFileTimes(): FileTimes {
  const alone = new Map<string, number>();
  const together = new Map<string, number>();
  return {
    note: (event) => {
      // A file with a process of its own has a summary; one of several in a process is a test there.
      if (event.type === 'test:summary') {
        if (event.data.file !== undefined) alone.set(event.data.file, event.data.duration_ms);
      } else if (
        (event.type === 'test:pass' || event.type === 'test:fail') &&
        event.data.nesting === 0 &&
        isAbsolute(event.data.name)
      ) {
        together.set(event.data.name, event.data.details.duration_ms);
      }
    },
    inWords: () => {
      const longest = [...(together.size > 0 ? together : alone)]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, shown);
      if (longest.length === 0) return undefined;
      const said = longest.map(
        ([file, milliseconds]) => `${relative(process.cwd(), file)} ${(milliseconds / 1000).toFixed(0)} s`,
      );
      return `longest: ${said.join(', ')}`;
    },
  };
}
