import { badField } from '@redoubt/errors';

/** What has languages. */
interface WithLanguages {
  readonly languages: readonly string[];
}

/** Data of Tesseract that is no language. */
const others: ReadonlySet<string> = new Set(['osd', 'equ', 'snum']);

/** The languages among the names of Tesseract's data. */
export const languagesAmong = (names: readonly string[]): string[] =>
  names.filter((name) => /^[a-z]{3}(?:_[A-Za-z]+)*$/.test(name) && !others.has(name)).toSorted();

/** A language is not installed. The message is for the person who sent the file. */
export class MissingLanguageError extends Error {}

/** @throws MissingLanguageError if no engine has all of the languages */
export const engineFor = <Engine extends WithLanguages>(
  engines: readonly Engine[],
  languages: readonly string[],
): Engine => {
  const engine = engines.find((each) => languages.every((language) => each.languages.includes(language)));
  if (engine !== undefined) return engine;
  throw new MissingLanguageError(describeMissing(engines, languages));
};

/** The languages that any of the engines has. */
export const installedLanguages = (engines: readonly WithLanguages[]): string[] =>
  [...new Set(engines.flatMap(({ languages }) => languages))].toSorted();

const describeMissing = (engines: readonly WithLanguages[], languages: readonly string[]): string => {
  const installed = installedLanguages(engines);
  const missing = languages.find((language) => !installed.includes(language));
  const got =
    missing === undefined
      ? `${languages.map((language) => `"${language}"`).join(' and ')}, which no Tesseract has together`
      : `"${missing}", which is not`;
  return `languages that are installed on the server, got ${got}. Installed are ${installed.join(', ')}. Send these, or ask the operator to install another.`;
};

/** @throws RedoubtError 400 if a language is not installed */
export type RequireInstalled = (languages: readonly string[] | undefined) => Promise<void>;

export const createRequireInstalled =
  (engines: () => Promise<readonly WithLanguages[]>): RequireInstalled =>
  async (languages) => {
    if (languages === undefined) return;
    try {
      engineFor(await engines(), languages);
    } catch (error) {
      if (error instanceof MissingLanguageError)
        throw badField('ocrLanguages', `must contain ${error.message}`);
      throw error;
    }
  };
