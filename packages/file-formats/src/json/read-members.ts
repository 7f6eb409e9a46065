import { createJsonScanner } from './json-scanner.ts';

/** A key of an object with the JSON text of its value. */
export interface JsonMember {
  readonly key: string;
  readonly value: string;
}

const scanner = createJsonScanner('');

/** The members of an object that is valid JSON without white space around it. */
export function readMembers(json: string): JsonMember[] {
  const members: JsonMember[] = [];
  const next = (from: number): number => {
    let at = from;
    while (' \t\n\r,:'.includes(json.charAt(at))) at++;
    return at;
  };
  for (let at = next(1); json.charAt(at) === '"'; at = next(scanner.value.end)) {
    scanner.scan(json, at, true);
    const key = JSON.parse(json.slice(at, scanner.value.end)) as string;
    const from = next(scanner.value.end);
    scanner.scan(json, from, true);
    members.push({ key, value: json.slice(from, scanner.value.end) });
  }
  return members;
}
