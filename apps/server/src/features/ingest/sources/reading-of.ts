import { badField } from '@redoubt/errors';
import type { IngestOptions } from '../ingest-options.ts';
import type { Source } from './source.ts';
import type { FileReading } from '../parser/parser-messages.ts';

/**
 * How the segments are read: as requested, or in the format that the source makes.
 * @throws RedoubtError 400 for options of a text file, where the rows come from no file
 */
export const readingOf = (
  { reading = {} }: IngestOptions,
  { reading: made }: Pick<Source, 'reading'>,
): FileReading => {
  if (made === undefined) return reading;
  const other = Object.keys(reading).find((option) => option !== 'columns');
  if (other !== undefined) {
    throw badField(
      `fileOptions.${other}`,
      'must not be sent for rows of a database or a connector, or messages of a topic, which are no text file. Leave it out; columns can be sent.',
    );
  }
  return { ...reading, ...made };
};
