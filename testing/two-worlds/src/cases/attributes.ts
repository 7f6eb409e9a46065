import { routes, type attributeAssignmentRoutes, type attributeRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as } from '@redoubt/testkit/requests';

/** Attributes that the reader cannot see: those of others, of another workspace, and an absent one. */
const unseen = ({ hidden, attributes }: Scenario): string[] => [
  hidden.attribute,
  hidden.foreignAttribute,
  attributes.secret,
  'nowhere-at-all',
];
const unseenAssignments = ({ hidden, assignments }: Scenario): string[] => [
  hidden.assignment,
  assignments.insiderSecret,
];

export const attributeCases: Record<keyof typeof attributeRoutes, Case> = {
  listAttributes: requests(({ people: { reader, outsider, workspace }, hidden }) => [
    ...listRequests(routes.listAttributes, reader, {
      id: [hidden.attribute, hidden.foreignAttribute],
      name: ['Attribute A-HIDDEN-0', 'Attribute ALPHA'],
      token: ['A-HIDDEN-0', 'H7', 'REFUSED-1', 'BETA'],
      description: [''],
      workspaceId: [hidden.workspace.id, workspace.id],
    }),
    ...listBriefRequests(routes.listAttributes, outsider, {
      id: [hidden.attribute],
      workspaceId: [workspace.id],
    }),
  ]),
  getAttribute: requests((scenario) => [
    ...unseen(scenario).map((id) => as(scenario.people.reader).get(`/attributes/${id}`)),
    ...unseen(scenario).map((id) => as(scenario.people.outsider).get(`/attributes/${id}`)),
    as(scenario.people.reader).get(`/attributes/${scenario.attributes.alpha}`),
  ]),
  createAttribute: requests(({ people: { reader, outsider, workspace }, hidden }) => [
    as(reader).post('/attributes', { name: 'Hidden', token: 'A-HIDDEN-0' }),
    as(outsider).post('/attributes', { name: 'Hidden', token: 'A-HIDDEN-0' }),
    as(outsider).post('/attributes', { name: 'Theirs', token: 'THEIRS', workspaceId: hidden.workspace.id }),
    as(outsider).post('/attributes', { name: 'Theirs', token: 'THEIRS', workspaceId: workspace.id }),
  ]),
  patchAttribute: requests((scenario) => [
    ...[scenario.people.reader, scenario.people.outsider].flatMap((person) =>
      unseen(scenario).map((id) => as(person).patch(`/attributes/${id}`, { name: 'Mine' })),
    ),
    as(scenario.people.admin).patch(`/attributes/${scenario.attributes.alpha}`, { name: 'The first' }),
    as(scenario.people.reader).get('/attributes'),
  ]),
  deleteAttribute: requests((scenario) => [
    ...[scenario.people.reader, scenario.people.outsider].flatMap((person) =>
      unseen(scenario).map((id) => as(person).remove(`/attributes/${id}`)),
    ),
    as(scenario.people.admin).remove(`/attributes/${scenario.attributes.gamma}`),
    as(scenario.people.reader).get('/attributes'),
  ]),
};

export const attributeAssignmentCases: Record<keyof typeof attributeAssignmentRoutes, Case> = {
  listAttributeAssignments: requests(
    ({ people: { reader, outsider, bystander, workspace }, attributes, hidden }) => [
      ...listRequests(routes.listAttributeAssignments, reader, {
        id: [hidden.assignment],
        attributeId: [hidden.attribute, attributes.alpha],
        userId: [bystander.id, hidden.hider.id],
        workspaceId: [hidden.workspace.id, workspace.id],
        attribute: ['A-HIDDEN-0', 'ALPHA', 'SECRET'],
      }),
      ...listBriefRequests(routes.listAttributeAssignments, outsider, { userId: [bystander.id] }),
    ],
  ),
  getAttributeAssignment: requests((scenario) => [
    ...[scenario.people.reader, scenario.people.outsider].flatMap((person) =>
      unseenAssignments(scenario).map((id) => as(person).get(`/attribute-assignments/${id}`)),
    ),
    as(scenario.people.reader).get(`/attribute-assignments/${scenario.assignments.readerAlpha}`),
  ]),
  createAttributeAssignment: requests(({ people, attributes, hidden }) => [
    ...[hidden.attribute, attributes.secret, attributes.alpha].map((attributeId) =>
      as(people.reader).post('/attribute-assignments', { attributeId, userId: people.reader.id }),
    ),
    as(people.outsider).post('/attribute-assignments', {
      attributeId: hidden.attribute,
      userId: people.outsider.id,
    }),
    as(people.admin).post('/attribute-assignments', {
      attributeId: attributes.gamma,
      userId: people.writer.id,
    }),
    as(people.admin).post('/attribute-assignments', {
      attributeId: attributes.beta,
      userId: hidden.hider.id,
    }),
    as(people.admin).post('/attribute-assignments', {
      attributeId: hidden.foreignAttribute,
      userId: people.writer.id,
    }),
  ]),
  patchAttributeAssignment: requests((scenario) => [
    ...[scenario.people.reader, scenario.people.outsider].flatMap((person) =>
      unseenAssignments(scenario).map((id) =>
        as(person).patch(`/attribute-assignments/${id}`, { userId: person.id }),
      ),
    ),
    as(scenario.people.reader).patch(`/attribute-assignments/${scenario.assignments.readerAlpha}`, {
      attributeId: scenario.hidden.attribute,
    }),
    as(scenario.people.admin).patch(`/attribute-assignments/${scenario.assignments.insiderSecret}`, {
      attributeId: scenario.hidden.foreignAttribute,
    }),
    as(scenario.people.admin).patch(`/attribute-assignments/${scenario.assignments.insiderSecret}`, {
      id: scenario.assignments.insiderSecret,
    }),
  ]),
  deleteAttributeAssignment: requests((scenario) => [
    ...[scenario.people.reader, scenario.people.outsider].flatMap((person) =>
      unseenAssignments(scenario).map((id) => as(person).remove(`/attribute-assignments/${id}`)),
    ),
    as(scenario.people.reader).remove(`/attribute-assignments/${scenario.assignments.readerBeta}`),
    as(scenario.people.admin).remove(`/attribute-assignments/${scenario.assignments.readerBeta}`),
    as(scenario.people.reader).get('/attribute-assignments'),
    as(scenario.people.reader).post('/readInSequence', { datasetId: scenario.datasets.shared }),
    as(scenario.people.reader).get('/datasets?$sort[recordCount]=1'),
  ]),
};
