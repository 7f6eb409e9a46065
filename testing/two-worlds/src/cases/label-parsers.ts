import { routes, type labelParserRoutes } from '@redoubt/contract';
import { listRequests, requests, type Case } from '../case.ts';
import { as } from '@redoubt/testkit/requests';

export const labelParserCases: Record<keyof typeof labelParserRoutes, Case> = {
  listLabelParsers: requests(({ people: { reader } }) =>
    listRequests(routes.listLabelParsers, reader, { id: ['capco-parser'], name: ['H7', 'identity'] }),
  ),
  getLabelParser: requests(({ people }) => [
    as(people.reader).get('/abac-label-parsers/identity-parser'),
    as(people.outsider).get('/abac-label-parsers/A-HIDDEN-0'),
  ]),
};
