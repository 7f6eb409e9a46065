/** Hints for unsupported constructs: sentences that say what to write instead, for `unsupportedSql`. */

export const noArrayOfArrays = 'Use an array of one dimension, or jsonb for nested lists.';

export const setHint = 'The SQL reference lists the set-returning functions.';

export const fromHint = 'Call the function in FROM, and use its columns.';

export const rowsHint = 'Use a frame of ROWS.';

const ofFunction: Readonly<Record<string, string>> = {
  jsonb_pretty: 'Cast to text, as in o::text.',
  row_to_json: 'Use jsonb_build_object with the columns.',
  json_object_agg: 'Use jsonb_agg of jsonb_build_object.',
  jsonb_object_agg: 'Use jsonb_agg of jsonb_build_object.',
};

/** Functions of json that jsonb has under the corresponding name. */
const ofJson =
  /^(?:to_json|json_(?:agg|array_elements|array_elements_text|array_length|build_array|build_object|each|each_text|extract_path|extract_path_text|object_keys|typeof))$/;

export const insteadOfFunction = (name: string): string =>
  ofFunction[name] ??
  (ofJson.test(name) ? `Use ${name.replace('json', 'jsonb')}.` : 'The SQL reference lists the functions.');

const useText = 'Use text.';

const ofType: Readonly<Record<string, string>> = {
  json: 'Use jsonb.',
  float4: 'Use double precision.',
  real: 'Use double precision.',
  bpchar: useText,
  char: useText,
  name: useText,
  uuid: useText,
  money: 'Use numeric.',
  time: 'Use timestamp, or text.',
  timetz: 'Use timestamptz, or text.',
};

export const insteadOfType = (name: string): string => ofType[name] ?? 'The SQL reference lists the types.';

const ofKind: Readonly<Record<string, string>> = {
  ParamRef: 'Write the value itself.',
  RowExpr: 'Write a condition or a column for each of its values.',
  SetToDefault: 'Write the value.',
  CollateClause: 'Leave it out: texts are always compared by code point.',
  XmlExpr: 'Use jsonb.',
};

/** @param kind the kind of a node in the syntax tree */
export const insteadOfKind = (kind: string): string =>
  ofKind[kind] ?? 'The SQL reference lists the supported syntax.';
