import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { LabelParserService } from './label-parser.service.ts';

export const createLabelParserRoutes = (parsers: LabelParserService): RouteBinding[] => [
  bindMember(routes.listLabelParsers, ({ list }) => parsers.list(list)),
  bindMember(routes.getLabelParser, ({ params }) => parsers.get(params.id)),
];
