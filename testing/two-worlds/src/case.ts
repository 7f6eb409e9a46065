import type { RouteDescriptor } from '@redoubt/contract';
import { sampleOf } from '@redoubt/testkit';
import type { Person } from '@redoubt/testkit/requests';
import type { Scenario } from './scenario.ts';
import { query, type SendToBoth, type Request } from '@redoubt/testkit/requests';

/** Sends the requests of one call. The responses must be the same in both worlds. */
export type Case = (send: SendToBoth, scenario: Scenario) => Promise<void>;

/** A case with a fixed list of requests. */
export const requests =
  (list: (scenario: Scenario) => readonly Request[]): Case =>
  async (send, scenario) => {
    for (const request of list(scenario)) await send(request);
  };

/** Values, by field, of hidden objects. Visible objects may have some of them, too. */
export type HiddenValues = Readonly<Record<string, readonly (string | number)[]>>;

/** A short run sends one of so many generated requests. */
export const sampleShare = 6;

/**
 * The requests about a list: all of it, pages beyond its end, every order, and every filter with values of hidden
 * objects.
 */
export const listRequests = (
  { path, list }: RouteDescriptor,
  { token }: Person,
  aims: HiddenValues,
  flags: Readonly<Record<string, string | boolean>> = {},
): Request[] => {
  const request = (parameters: Readonly<Record<string, string | number | boolean>>): Request => ({
    method: 'GET',
    path: `${path}${query({ ...flags, ...parameters })}`,
    token,
  });
  const fields = list?.filters ?? [];
  const all = { $limit: -1 };
  const pages = [0, 2, 4, 6, 8].map((skip) => request({ $limit: 2, $skip: skip }));
  const orders = fields.flatMap((field) => [
    request({ ...all, [`$sort[${field}]`]: 1 }),
    request({ $limit: 3, $skip: 1, [`$sort[${field}]`]: -1 }),
  ]);
  const filters = Object.entries(aims).flatMap(([field, values]) =>
    values.flatMap((value) => [
      request({ ...all, [field]: value }),
      request({ $limit: 3, [`${field}[$ne]`]: value }),
      request({ $limit: 0, [`${field}[$gt]`]: value }),
    ]),
  );
  const sets = Object.entries(aims).flatMap(([field, values]) => {
    const listed = Object.fromEntries(values.map((value, index) => [`${field}[$nin][${index}]`, value]));
    return [
      request({ ...all, ...listed }),
      request({ $limit: 1, $skip: 1, [`${field}[$lte]`]: values[0] ?? '' }),
    ];
  });
  const either = Object.fromEntries(
    Object.entries(aims).flatMap(([field, values]) =>
      values.map((value, index) => [`$or[${index}][${field}]`, value] as const),
    ),
  );
  const generated = [
    request({ $skip: 1000 }),
    ...pages,
    ...orders,
    ...filters,
    ...sets,
    request({ ...all, ...either }),
  ];
  return [request({}), request(all), ...sampleOf(generated, sampleShare, ({ path }) => path)];
};

/** The whole list and each filter: enough for requesters to whom both worlds show the same objects. */
export const listBriefRequests = (
  { path }: RouteDescriptor,
  { token }: Person,
  aims: HiddenValues,
  flags: Readonly<Record<string, string | boolean>> = {},
): Request[] => {
  const filters = Object.entries(aims).flatMap(([field, values]) =>
    values.map((value) => ({ [field]: value })),
  );
  return [{}, ...filters].map((filter) => ({
    method: 'GET',
    path: `${path}${query({ ...flags, $limit: -1, ...filter })}`,
    token,
  }));
};
