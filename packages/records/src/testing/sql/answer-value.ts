/** A value of an answer: a number keeps the text that it has there. */
export type AnswerValue =
  | string
  | boolean
  | null
  | AnswerNumber
  | AnswerValue[]
  | { [key: string]: AnswerValue };

export interface AnswerNumber {
  readonly digits: string;
}

/** Reads the pieces of a JSON array that an answer is, keeping all digits of numbers. */
export const readAnswer = (text: string): Record<string, AnswerValue>[] =>
  JSON.parse(`[${text}]`, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? { digits: context?.source ?? String(value) } : value,
  ) as Record<string, AnswerValue>[];
