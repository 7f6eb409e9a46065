/** How many random bytes an id needs. */
export const randomBytesPerId = 10;

/**
 * Creates a UUIDv7: 48 bits of milliseconds since 1970, then random bits. It has no counter, so that it discloses
 * nothing about other records.
 * @param random has at least `randomBytesPerId` bytes at `from`
 */
export function uuidV7(timestampMs: number, random: Buffer, from: number): string {
  const time = timestampMs.toString(16).padStart(12, '0');
  const hex = random.toString('hex', from, from + randomBytesPerId);
  const variant = variantDigits[(random[from + 9] ?? 0) & 3] ?? '';
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

const variantDigits = ['8', '9', 'a', 'b'];

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text has the form of a UUID. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
