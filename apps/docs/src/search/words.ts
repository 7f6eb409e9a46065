import { stemmer } from 'stemmer';

/** Words that say nothing of what somebody looks for. */
const fillers = new Set(
  'a an and are as at be by can do does for from how i in is it its me my of on or the to what when where which who with you your'.split(
    ' ',
  ),
);

/** Words of readers for which the pages have another one. Both are looked for. */
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

/** The words of a text in small letters, in their order. */
const wordsOf = (text: string): string[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word.toLowerCase());

/** As `wordsOf`, and the words within a name such as `DatasetNotFound` besides. */
export const wordsAndParts = (text: string): string[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => {
    const parts = word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  })
    .flat()
    .map((word) => word.toLowerCase());

/** What a word is kept as: itself and its stem, so that "deleting" is found by "delete". */
export const termsOf = (word: string): string[] => {
  const stem = stemmer(word);
  return stem === word ? [word] : [word, stem];
};

/** The words of a query that count; all of them when none does. */
export const wordsOfQuery = (query: string): string[] => {
  const words = wordsOf(query);
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
};

/** Phrases, as lists of words, that mean the same as a word of a query. */
export const synonymsOf = (word: string): string[][] =>
  [...(otherWords[word] ?? []), ...(otherWords[stemmer(word)] ?? [])].map(wordsOf);

/** A text as its stems: two titles that differ in endings, articles and order alone are equal. */
export const essenceOf = (text: string): string =>
  wordsOfQuery(text)
    .map((word) => stemmer(word))
    .toSorted()
    .join(' ');
