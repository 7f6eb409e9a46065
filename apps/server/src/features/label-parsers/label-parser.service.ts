import type { LabelParser, ListQuery } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import { labelParsers } from '@redoubt/labels';
import type { Page } from '../../platform/db/list.ts';
import type { LabelParserRepository } from './label-parser.repository.ts';

export interface LabelParserService {
  list(list: ListQuery): Promise<Page<LabelParser>>;
  get(id: string): LabelParser;
}

export const createLabelParserService = (parsers: LabelParserRepository): LabelParserService => {
  const all: readonly LabelParser[] = labelParsers.map(({ id, name, description, deprecated }) => ({
    id,
    name,
    description,
    deprecated,
  }));
  return {
    list: (list) => parsers.list(all, list),
    get: (id) => {
      const found = all.find((parser) => parser.id === id);
      if (found === undefined) throw notFound('label parser', id);
      return found;
    },
  };
};
