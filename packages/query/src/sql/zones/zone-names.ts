import { fixedAbbreviations, zoneAbbreviations } from './abbreviations.ts';
import { fixedZone, zoneChanges, type ZoneChanges } from './zone-changes.ts';

/** The result of looking up a zone name. */
export type ZoneLookup =
  | { readonly kind: 'zone'; readonly zone: ZoneChanges }
  /** PostgreSQL supports the name and Redoubt does not. `instead` says what to write. */
  | { readonly kind: 'unsupported'; readonly instead?: string }
  | { readonly kind: 'unknown' };

const fixed = (offset: number): ZoneLookup => ({ kind: 'zone', zone: fixedZone(offset) });

const secondsOf = (sign: string | undefined, hours: string, minutes = '0', seconds = '0'): number =>
  (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1 : 1);

/** The POSIX notation: letters, which have no meaning, and how far UTC is ahead of the zone. */
const posixForm = /^[a-z]*([+-]?)(\d{1,2})(?::([0-5]?\d)(?::([0-5]?\d))?)?$/;

/** Names of files in PostgreSQL's time zone folder that are not zones. */
const filesAlone = /^(?:posix\/|right\/)|^(?:localtime|posixrules|factory)$/;

/**
 * Looks up a time zone as PostgreSQL does: an abbreviation, a zone of the IANA database, or a POSIX offset, whose sign is
 * the opposite of that in ISO 8601.
 */
export function findTimeZone(name: string): ZoneLookup {
  // Some characters of other scripts become ASCII in another letter case: the Kelvin sign becomes k.
  if (/[^ -~]/.test(name)) return { kind: /\d/.test(name) ? 'unsupported' : 'unknown' };
  const abbreviation = name.toUpperCase();
  const offset = fixedAbbreviations.get(abbreviation);
  if (offset !== undefined) return fixed(offset);
  const instead = zoneAbbreviations.get(abbreviation);
  if (instead !== undefined) return { kind: 'unsupported', instead };
  const lower = name.toLowerCase();
  if (filesAlone.test(lower)) return { kind: 'unsupported' };
  const zone = zoneChanges(lower);
  if (zone !== undefined) return { kind: 'zone', zone };
  const [whole, sign, hours = '0', minutes, seconds] = posixForm.exec(lower) ?? [];
  if (whole !== undefined && Number(hours) <= 24) return fixed(-secondsOf(sign, hours, minutes, seconds));
  return { kind: /\d/.test(name) ? 'unsupported' : 'unknown' };
}
