import { DamagedFile } from '../damaged-file.ts';
import { ValueError } from '../value-json.ts';
import type { createPageReader, ParquetPage } from './page-reader.ts';
import type { ParquetLeaf } from './parquet-schema.ts';
import type { ValueType } from './parquet-values.ts';

/** Iterates over the values of one leaf column of a row group, with their levels. */
export interface LeafCursor {
  /** The definition level of the next value. */
  definition(): number;
  /** The repetition level of the next value; 0 after the last one. */
  repetition(): number;
  /**
   * Returns the JSON of the next value and moves behind it. Call it only if the value is not null. For a value that
   * cannot be stored, it calls `onProblem` and returns `null`.
   */
  take(): string;
  /** Moves behind the next value without reading it. */
  skip(): void;
  readonly isAtEnd: boolean;
}

const emptyPage: ParquetPage = { count: 0, definition: [], repetition: [], values: [], isDictionary: false };

export function createLeafCursor(
  pages: ReturnType<typeof createPageReader>,
  { maxDefinition, maxRepetition }: ParquetLeaf,
  type: ValueType,
  onProblem: (problem: string) => void,
): LeafCursor {
  let page = emptyPage;
  let at = 0;
  let valueAt = 0;
  /** The values of the dictionary as JSON, converted on first use. */
  let dictionary: ArrayLike<unknown> = [];
  let texts: (string | undefined)[] = [];

  /** Loads the page that contains the next value; returns whether there is one. */
  function hasNext(): boolean {
    if (at < page.count) return true;
    const next = pages.next();
    if (next === undefined) return false;
    page = next;
    at = 0;
    valueAt = 0;
    if (dictionary !== pages.dictionary()) {
      dictionary = pages.dictionary();
      texts = [];
    }
    return true;
  }

  function level(levels: readonly number[], missing: number): number {
    if (levels.length === 0) return missing;
    return levels[at] ?? missing;
  }

  function jsonOf(value: unknown, report = onProblem): string {
    if (value === undefined) throw new DamagedFile('a page has fewer values than it says');
    try {
      return type.json(value);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      report(error.message);
      return 'null';
    }
  }

  function dictionaryJson(index: unknown): string {
    if (typeof index !== 'number' || index >= dictionary.length) {
      throw new DamagedFile('a value is outside of its dictionary');
    }
    const known = texts[index];
    if (known !== undefined) return known;
    let isGood = true;
    const json = jsonOf(dictionary[index], (problem) => {
      isGood = false;
      onProblem(problem);
    });
    if (isGood) texts[index] = json;
    return json;
  }

  return {
    definition() {
      if (!hasNext()) throw new DamagedFile('a column has fewer values than rows');
      return level(page.definition, maxDefinition);
    },
    repetition() {
      if (maxRepetition === 0 || !hasNext()) return 0;
      return level(page.repetition, 0);
    },
    take() {
      if (!hasNext()) throw new DamagedFile('a column has fewer values than rows');
      at++;
      const value: unknown = page.values[valueAt++];
      return page.isDictionary ? dictionaryJson(value) : jsonOf(value);
    },
    skip() {
      if (!hasNext()) throw new DamagedFile('a column has fewer values than rows');
      if (level(page.definition, maxDefinition) === maxDefinition) valueAt++;
      at++;
    },
    get isAtEnd() {
      return !hasNext();
    },
  };
}
