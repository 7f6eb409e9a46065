/** A query of a page, as its block says who asks and in which language. */
export interface QueryBlock {
  readonly language: 'lucene' | 'sql';
  readonly text: string;
  /** The variable that holds the token of whoever asks. */
  readonly token: 'READER' | 'TOKEN';
}

/** On one line where that changes nothing: texts and comments keep their line breaks. */
const onOneLine = (text: string): string =>
  /--|'[^']*\n[^']*'/.test(text) ? text : text.replaceAll(/\s*\n\s*/g, ' ');

const bodyOf = ({ language, text }: QueryBlock): Record<string, string> =>
  language === 'sql' ? { expression: text } : { datasetId: '$DATASET', expression: text };

const pathOf = ({ language }: QueryBlock): string => (language === 'sql' ? '/query' : '/query/lucene');

/** The call in a shell, with the variables that the pages of the site use. */
export const asCurl = (block: QueryBlock): string => {
  const json = JSON.stringify(bodyOf({ ...block, text: onOneLine(block.text) }))
    .replaceAll("'", `'\\''`)
    .replace('"$DATASET"', `"'$DATASET'"`);
  return [
    `curl "$REDOUBT${pathOf(block)}" \\`,
    `  -H "Authorization: Bearer $${block.token}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n');
};

/** A text of Python that may have line breaks and quotes of either kind. */
const pythonText = (text: string): string =>
  text.includes('\n') || text.includes('"')
    ? `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')}\n"""`
    : `"${text.replaceAll('\\', '\\\\')}"`;

/** The call in Python, with the same variables in the environment. */
export const asPython = (block: QueryBlock): string => {
  const dataset = block.language === 'lucene' ? ['        "datasetId": os.environ["DATASET"],'] : [];
  return [
    'import os',
    'import requests',
    '',
    'answer = requests.post(',
    `    os.environ["REDOUBT"] + "${pathOf(block)}",`,
    `    headers={"Authorization": "Bearer " + os.environ["${block.token}"]},`,
    '    json={',
    ...dataset,
    `        "expression": ${pythonText(block.text)},`,
    '    },',
    ')',
    'answer.raise_for_status()',
    'for record in answer.json()["records"]:',
    '    print(record)',
  ].join('\n');
};
