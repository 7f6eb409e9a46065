/** A value of an answer: a number keeps the text that it has there. */
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

/** Reads the pieces of a JSON array that an answer is, keeping all digits of numbers. */
export const parseResponse = (text: string): Record<string, ResponseValue>[] =>
  JSON.parse(`[${text}]`, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? { digits: context?.source ?? String(value) } : value,
  ) as Record<string, ResponseValue>[];
