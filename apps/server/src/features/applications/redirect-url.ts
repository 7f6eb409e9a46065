import { describeValue, invalidField } from '@redoubt/errors';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Checks an address that authorization codes are sent to.
 * @throws RedoubtError 400 unless it is https, or http on the local machine, without fragment, user and password
 */
export const checkRedirectUrl = (text: string): void => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname));
  if (url === undefined || !isSafe || text.includes('#') || url.username !== '' || url.password !== '') {
    throw invalidField({
      field: 'redirectUrl',
      expected: 'a safe address',
      got: describeValue(text),
      advice:
        'Send one with https, or with http on localhost, 127.0.0.1 or [::1], without "#", user and password.',
    });
  }
};

/** @throws RedoubtError 400 for an invalid address */
export const checkUrl = (text: string): void => {
  if (!URL.canParse(text)) {
    throw invalidField({
      field: 'url',
      expected: 'an address',
      got: describeValue(text),
      advice: 'Send one that begins with https://.',
    });
  }
};
