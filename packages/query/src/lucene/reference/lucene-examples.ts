/** A way to write a search, with one that the demo's navigation aids answer. */
export interface LuceneExample {
  readonly syntax: string;
  /** What it finds, as a sentence. */
  readonly finds: string;
  readonly example: string;
}

export interface LuceneExampleGroup {
  readonly title: string;
  readonly constructs: readonly LuceneExample[];
}

/** What the parser reads. */
export const luceneExamples: readonly LuceneExampleGroup[] = [
  {
    title: 'Words and phrases',
    constructs: [
      {
        syntax: 'word',
        finds: 'Records that have the word in any field, in any case of letters.',
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
          'Records that have the word in that field. The name of the field is written exactly as in the records; a field inside an object is `outer.inner`. A number is compared as a number, so `5`, `5.0` and `5e0` are the same.',
        example: 'name:london',
      },
      {
        syntax: 'field:"text: with signs"',
        finds:
          'The same for a text with characters that have a meaning in searches. Inside the quotes only `\\` and `"` need a backslash.',
        example: 'access:"REGION:EU"',
      },
      {
        syntax: 'field:(a OR b)',
        finds: 'Records in which the field fits what stands in the parentheses.',
        example: 'type:(VOR OR TACAN)',
      },
      {
        syntax: '\\:',
        finds:
          'A backslash takes its meaning from the next character; `\\u00e9` is a character by its number.',
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
        finds: '`*` stands for any number of characters of one word, or of the whole value.',
        example: 'name:victor*',
      },
      { syntax: 'w?rd', finds: '`?` stands for exactly one character.', example: 'name:b?rlin' },
      {
        syntax: '/regular expression/',
        finds:
          'A regular expression that has to match one whole word, or the whole value. It takes `.`, `|`, groups, classes such as `[a-z]`, `*`, `+`, `?` and `{n,m}`.',
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
          'Values from a to b, both included. Numbers are compared as numbers, dates as times, other texts by code point: the kind of the value in the record decides.',
        example: 'elevation_ft:[3000 TO 4000]',
      },
      {
        syntax: 'field:{a TO b}',
        finds: 'The same without a and b. The brackets may be mixed: `[a TO b}`.',
        example: 'elevation_ft:{3000 TO 4000}',
      },
      {
        syntax: 'field:[a TO *]',
        finds: '`*` leaves one end open.',
        example: 'elevation_ft:[10000 TO *]',
      },
      {
        syntax: 'field:>=a',
        finds: 'The same, shorter: `>`, `>=`, `<` and `<=`.',
        example: 'elevation_ft:>=10000',
      },
    ],
  },
  {
    title: 'Joining conditions',
    constructs: [
      {
        syntax: 'a AND b',
        finds: 'Records that fit both. `&&` is the same.',
        example: 'type:VOR AND elevation_ft:>3000',
      },
      {
        syntax: 'a OR b',
        finds: 'Records that fit at least one. `||` is the same, and so is writing nothing between them.',
        example: 'name:london OR name:berlin',
      },
      {
        syntax: 'a NOT b',
        finds:
          'Records that fit a and not b. `-` and `!` are the same. A group of nothing but such conditions finds all other records.',
        example: 'name:london NOT type:NDB',
      },
      {
        syntax: '+a b',
        finds: 'Records that fit a; b need not fit.',
        example: '+name:london type:VOR',
      },
      {
        syntax: '(a OR b) AND c',
        finds:
          'Parentheses say what belongs together. Without them AND makes the conditions on both its sides required, as in classic Lucene: `a OR b AND c` finds what fits b and c.',
        example: 'name:(london OR berlin) AND frequency_khz:>300',
      },
      {
        syntax: 'a^2',
        finds: 'Boosts are read and change nothing, since answers come in the order of record ids.',
        example: 'name:london^2',
      },
    ],
  },
];

/** What Lucene has and the parser refuses, with what to do instead. */
export const unsupportedLucene: readonly { readonly text: string; readonly example: string }[] = [
  {
    text: 'Fuzzy words (`word~`) and distances in phrases (`"a b"~3`): an answer without them would be a wrong one.',
    example: 'name:london~',
  },
  {
    text: 'Wildcards in names of fields.',
    example: 'na*:london',
  },
  {
    text: 'Look-around, back references and flags in regular expressions, `^` and `$`: the whole word or value is matched in any case.',
    example: 'name:/^lon/',
  },
  {
    text: 'A comparison or a range without a field.',
    example: '[3000 TO 4000]',
  },
];
