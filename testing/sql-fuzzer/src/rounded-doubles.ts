/** Functions that return doubles whose last digit can differ. */
const inexact = /\b(?:cbrt|exp|ln|log|sin|cos|atan|corr|covar_\w+|var_\w+|variance|stddev\w*|regr_slope)\(/;

/** Finds the end of the brackets that open at `start`. Ignores brackets in literals and quoted names. */
function afterBrackets(statement: string, start: number): number {
  let depth = 0;
  for (let at = start; at < statement.length; at++) {
    const character = statement.charAt(at);
    if (character === "'" || character === '"') at = statement.indexOf(character, at + 1);
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at + 1;
    if (at === -1) break;
  }
  throw new Error(`Brackets are not closed: ${statement.slice(start)}`);
}

/** Finds the end of a call, including its FILTER and OVER. */
function afterCall(statement: string, bracket: number): number {
  const end = afterBrackets(statement, bracket);
  const clause = /^ (?:filter|over) (?=\()/.exec(statement.slice(end));
  if (clause !== null) return afterCall(statement, end + clause[0].length);
  const named = /^ over \w+/.exec(statement.slice(end));
  return end + (named?.[0].length ?? 0);
}

/** Rounds the inexact doubles of a statement to six digits after the point. */
export function withRoundedDoubles(statement: string): string {
  const found = inexact.exec(statement);
  if (found === null) return statement;
  const bracket = found.index + found[0].length;
  const end = afterCall(statement, bracket - 1);
  const call = `${found[0]}${withRoundedDoubles(statement.slice(bracket, end))}`;
  return `${statement.slice(0, found.index)}round((${call})::numeric, 6)::double precision${withRoundedDoubles(statement.slice(end))}`;
}
