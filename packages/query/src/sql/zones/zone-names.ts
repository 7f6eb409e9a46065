import { fixedAbbreviations, zoneAbbreviations } from './abbreviations.ts';
import { fixedZone, zoneChanges, type ZoneChanges } from './zone-changes.ts';

/** What a name of a zone means, or why it means nothing here. */
export type ZoneLookup =
  | { readonly kind: 'zone'; readonly zone: ZoneChanges }
  /** PostgreSQL takes it, and we do not; the words say what to write instead. */
  | { readonly kind: 'unsupported'; readonly instead?: string }
  | { readonly kind: 'unknown' };

const fixed = (offset: number): ZoneLookup => ({ kind: 'zone', zone: fixedZone(offset) });

const secondsOf = (sign: string | undefined, hours: string, minutes = '0', seconds = '0'): number =>
  (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1 : 1);

/** As POSIX has it: letters that mean nothing, and how far UTC is ahead. */
const posixForm = /^[a-z]*([+-]?)(\d{1,2})(?::([0-5]?\d)(?::([0-5]?\d))?)?$/;

/** What PostgreSQL finds among its files and no zone of the world is called. */
const filesAlone = /^(?:posix\/|right\/)|^(?:localtime|posixrules|factory)$/;

/**
 * Reads the name of a time zone as PostgreSQL does: an abbreviation, a zone of the IANA database, or a distance from UTC as
 * POSIX writes it, whose sign is the opposite of ISO 8601's.
 */
export function findTimeZone(name: string): ZoneLookup {
  // Letters of other scripts may be ASCII in small or in capitals: the Kelvin sign is a K.
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
