/** What gives doubles whose last digit may be another. */
const inexact = /\b(?:cbrt|exp|ln|log|sin|cos|atan|corr|covar_\w+|var_\w+|variance|stddev\w*|regr_slope)\(/;

/** Where brackets that are open at `start` are closed; texts and quoted names may hold brackets. */
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

/** Where a call ends, with what says which rows it takes. */
function afterCall(statement: string, bracket: number): number {
  const end = afterBrackets(statement, bracket);
  const clause = /^ (?:filter|over) (?=\()/.exec(statement.slice(end));
  if (clause !== null) return afterCall(statement, end + clause[0].length);
  const named = /^ over \w+/.exec(statement.slice(end));
  return end + (named?.[0].length ?? 0);
}

/** A statement whose inexact doubles are rounded to six digits after the point. */
export function withRoundedDoubles(statement: string): string {
  const found = inexact.exec(statement);
  if (found === null) return statement;
  const bracket = found.index + found[0].length;
  const end = afterCall(statement, bracket - 1);
  const call = `${found[0]}${withRoundedDoubles(statement.slice(bracket, end))}`;
  return `${statement.slice(0, found.index)}round((${call})::numeric, 6)::double precision${withRoundedDoubles(statement.slice(end))}`;
}
