import { stemmer } from 'stemmer';

/** Stop words: words without meaning for a search. */
const fillers = new Set(
  'a an and are as at be by can do does for from how i in is it its me my of on or the to what when where which who with you your'.split(
    ' ',
  ),
);

/** Synonyms. Both words are searched. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  login: ['sign-in'],
  logon: ['sign-in'],
  logout: ['sign-out'],
  register: ['sign-up'],
  signup: ['sign-up'],
  signin: ['sign-in'],
  erase: ['delete'],
  remove: ['delete'],
  delete: ['remove'],
  table: ['dataset'],
  rename: ['renaming'],
  invite: ['invitation'],
  reset: ['change'],
  cost: ['pricing'],
  price: ['pricing'],
  setup: ['deployment'],
  install: ['deployment'],
  permission: ['role'],
  colour: ['color'],
  env: ['environment'],
  k8s: ['kubernetes'],
  kube: ['kubernetes'],
  container: ['docker'],
  paging: ['pagination'],
  timezone: ['time zone'],
  rls: ['row level security'],
  sso: ['single sign-on'],
  quota: ['limit'],
};

/** The words of a text in lower case, in order. */
const wordsOf = (text: string): string[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word.toLowerCase());

/** Like `wordsOf`, and also the words within a name such as `DatasetNotFound`. */
export const wordsAndParts = (text: string): string[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => {
    const parts = word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  })
    .flat()
    .map((word) => word.toLowerCase());

/** The indexed forms of a word: itself and its stem, so that "delete" finds "deleting". */
export const termsOf = (word: string): string[] => {
  const stem = stemmer(word);
  return stem === word ? [word] : [word, stem];
};

/** The words of a query without stop words; all of them if only stop words remain. */
export const wordsOfQuery = (query: string): string[] => {
  const words = wordsOf(query);
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
};

/** The phrases that are synonyms of a word, as lists of words. */
export const synonymsOf = (word: string): string[][] =>
  [...(otherWords[word] ?? []), ...(otherWords[stemmer(word)] ?? [])].map(wordsOf);

/** The stems of a text. Titles that differ only in endings, articles and order have the same stems. */
export const essenceOf = (text: string): string =>
  wordsOfQuery(text)
    .map((word) => stemmer(word))
    .toSorted()
    .join(' ');
