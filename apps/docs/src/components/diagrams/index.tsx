import type { ReactNode } from 'react';
import { Flow, type Step } from './flow.tsx';

export { Machines } from './machines.tsx';

const request: readonly Step[] = [
  { name: 'Request', lines: ['count the VORs,', 'as Ada'] },
  { name: 'Who asks', lines: ['token, groups,', 'attributes: now'], refusal: '401 or 404' },
  { name: 'Compile', lines: ['SQL or Lucene', 'to a safe plan'], refusal: '400' },
  { name: 'Label check', lines: ['the engine drops', 'hidden rows first'], strong: true },
  { name: 'Query', lines: ['search, join, sort', 'count the rest'] },
  { name: 'Answer', lines: ['as if only visible', 'records existed'] },
];

/** How a request is processed. */
export const RequestPath = (): ReactNode => (
  <Flow
    steps={request}
    label="A request is authenticated, and its groups and attributes are looked up. It is compiled to a checked plan. The engine drops records whose label the reader does not satisfy before anything else reads them. The query runs on what is left, and the answer is as if only visible records existed."
  />
);

const access: readonly Step[] = [
  { name: 'Person', lines: ['Ada, a member of', 'the workspace'] },
  { name: 'Groups', lines: ['May a group of hers', 'use this dataset?'], refusal: '404: no such dataset' },
  {
    name: 'Attributes',
    lines: ['Do hers satisfy the', 'label of this record?'],
    refusal: 'the record is not there',
    strong: true,
  },
  { name: 'Record', lines: ['is searched, counted', 'and shown'] },
];

/** The two checks that decide what a person can see. */
export const GroupsAndAttributes = (): ReactNode => (
  <Flow
    steps={access}
    label="Two questions decide what a person sees. First: may one of their groups use the dataset? If not, the dataset does not exist for them. Second: do their attributes satisfy the label of the record? If not, the record does not exist for them."
  />
);
