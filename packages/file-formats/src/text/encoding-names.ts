import iconv from 'iconv-lite';

/** Normalises the name of an encoding; undefined if it is not supported. */
export function encodingNamed(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  const plain = lower.replace(/[-_ ]/g, '');
  const known = { utf8: 'utf-8', utf16: 'utf-16le', utf16le: 'utf-16le', utf16be: 'utf-16be' }[plain];
  if (known !== undefined) return known;
  return /^(base64|hex|binary)$/.test(plain) || !iconv.encodingExists(lower) ? undefined : lower;
}
