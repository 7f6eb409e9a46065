/** What somebody's call comes to, as the page for reviewers says it. */
export type Expected = 'yes' | '401' | '403' | '404';

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * The second table of the page about who may make which call: by call, then by caller. The walk goes by the page and not
 * by the table in the code, which the server's checks read as well: a rule that becomes laxer there is found here.
 */
export const expectedFrom = (page: string): Map<string, Map<string, Expected>> => {
  const [, section = ''] = page.split('## Everybody');
  const [heads = '', , ...rows] = section.split('\n').filter((line) => line.startsWith('| '));
  const [, ...callers] = cells(heads);
  return new Map(
    rows.map((line) => {
      const [call = '', ...outcomes] = cells(line);
      const byCaller = callers.map((caller, at) => [caller, outcomes[at] as Expected] as const);
      return [call.replaceAll('`', ''), new Map(byCaller)];
    }),
  );
};
