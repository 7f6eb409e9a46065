import { RedoubtError } from '@redoubt/errors';

const maxRetries = 5;

/**
 * How a preview is requested again when the server runs too many: it may still read the file for an earlier choice that
 * the person has changed since.
 */
export const previewRetries = {
  retry: (count: number, error: unknown): boolean =>
    count < maxRetries && error instanceof RedoubtError && error.code === 429,
  retryDelay: 2000,
} as const;
