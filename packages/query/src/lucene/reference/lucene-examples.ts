/** A syntax element, with an example that finds records in the demo's navigation aids. */
export interface LuceneExample {
  readonly syntax: string;
  /** What it finds, as sentences. */
  readonly finds: string;
  readonly example: string;
}

export interface LuceneExampleGroup {
  readonly title: string;
  readonly constructs: readonly LuceneExample[];
}

/** The supported syntax. */
export const luceneExamples: readonly LuceneExampleGroup[] = [
  {
    title: 'Words and phrases',
    constructs: [
      {
        syntax: 'word',
        finds: 'Records that have the word in any field. Letter case does not matter.',
        example: 'london',
      },
      {
        syntax: '"a phrase"',
        finds: 'Records that have these words next to each other, in this order, in one value.',
        example: '"williams harbour"',
      },
      {
        syntax: 'field:word',
        finds:
          'Records that have the word in that field. Write the field name exactly as in the records; a field inside an object is `outer.inner`. Numbers are compared as numbers, so `5`, `5.0` and `5e0` are the same.',
        example: 'name:london',
      },
      {
        syntax: 'field:"text: with signs"',
        finds:
          'The same for text with special characters. Inside the quotes, only `\\` and `"` need a backslash.',
        example: 'access:"REGION:EU"',
      },
      {
        syntax: 'field:(a OR b)',
        finds: 'Records in which the field matches the conditions in the parentheses.',
        example: 'type:(VOR OR TACAN)',
      },
      {
        syntax: '\\:',
        finds: 'A backslash makes the next character literal. `\\u00e9` is a character by its code.',
        example: 'access:REGION\\:EU',
      },
    ],
  },
  {
    title: 'All records, and records that have a field',
    constructs: [
      { syntax: '*:*', finds: 'Every record.', example: '*:*' },
      {
        syntax: 'field:*',
        finds: 'Records in which the field has a value other than null.',
        example: 'dme_channel:*',
      },
      { syntax: '_exists_:field', finds: 'The same.', example: '_exists_:dme_channel' },
    ],
  },
  {
    title: 'Parts of words',
    constructs: [
      {
        syntax: 'wor*',
        finds: '`*` matches any number of characters of one word, or of the whole value.',
        example: 'name:victor*',
      },
      { syntax: 'w?rd', finds: '`?` matches exactly one character.', example: 'name:b?rlin' },
      {
        syntax: '/regular expression/',
        finds:
          'A regular expression that matches one whole word, or the whole value. You can use `.`, `|`, groups, classes such as `[a-z]`, `*`, `+`, `?` and `{n,m}`.',
        example: 'name:/lon.*n/',
      },
    ],
  },
  {
    title: 'Ranges',
    constructs: [
      {
        syntax: 'field:[a TO b]',
        finds:
          'Values from a to b, both included. The type of the value in the record decides how it is compared: numbers as numbers, dates as times, and other text by code point.',
        example: 'elevation_ft:[3000 TO 4000]',
      },
      {
        syntax: 'field:{a TO b}',
        finds: 'The same without a and b. You can mix the brackets: `[a TO b}`.',
        example: 'elevation_ft:{3000 TO 4000}',
      },
      {
        syntax: 'field:[a TO *]',
        finds: '`*` leaves one end open.',
        example: 'elevation_ft:[10000 TO *]',
      },
      {
        syntax: 'field:>=a',
        finds: 'A short form of open ranges: `>`, `>=`, `<` and `<=`.',
        example: 'elevation_ft:>=10000',
      },
    ],
  },
  {
    title: 'Joining conditions',
    constructs: [
      {
        syntax: 'a AND b',
        finds: 'Records that match both conditions. `&&` is the same.',
        example: 'type:VOR AND elevation_ft:>3000',
      },
      {
        syntax: 'a OR b',
        finds:
          'Records that match at least one condition. `||` is the same, and so is no operator between them.',
        example: 'name:london OR name:berlin',
      },
      {
        syntax: 'a NOT b',
        finds:
          'Records that match a and do not match b. `-` and `!` are the same. A group with only negated conditions finds all other records.',
        example: 'name:london NOT type:NDB',
      },
      {
        syntax: '+a b',
        finds: 'Records that match a. They may or may not match b.',
        example: '+name:london type:VOR',
      },
      {
        syntax: '(a OR b) AND c',
        finds:
          'Parentheses group conditions. Without them, AND makes the conditions on both sides required, as in classic Lucene: `a OR b AND c` finds records that match b and c.',
        example: 'name:(london OR berlin) AND frequency_khz:>300',
      },
      {
        syntax: 'a^2',
        finds: 'Boosts are accepted but have no effect, since results are in the order of record ids.',
        example: 'name:london^2',
      },
    ],
  },
];

/** Syntax of Lucene that the parser rejects. */
export const unsupportedLucene: readonly { readonly text: string; readonly example: string }[] = [
  {
    text: 'Fuzzy words (`word~`) and distances in phrases (`"a b"~3`). Ignoring them would return wrong results.',
    example: 'name:london~',
  },
  {
    text: 'Wildcards in field names.',
    example: 'na*:london',
  },
  {
    text: 'Lookaround, back references and flags in regular expressions, and `^` and `$`. A regular expression always matches a whole word or value, in any letter case.',
    example: 'name:/^lon/',
  },
  {
    text: 'A comparison or a range without a field.',
    example: '[3000 TO 4000]',
  },
];
