/** A value of a response. A number keeps its text. */
export type ResponseValue =
  | string
  | boolean
  | null
  | ResponseNumber
  | ResponseValue[]
  | { [key: string]: ResponseValue };

export interface ResponseNumber {
  readonly digits: string;
}

/** Parses a response, which is a JSON array, and keeps all digits of numbers. */
export const parseResponse = (text: string): Record<string, ResponseValue>[] =>
  JSON.parse(`[${text}]`, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? { digits: context?.source ?? String(value) } : value,
  ) as Record<string, ResponseValue>[];
