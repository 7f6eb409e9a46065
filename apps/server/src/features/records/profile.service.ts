import type {
  FieldProfile,
  ProfilesRequest,
  ProfilesResponse,
  ValuesRequest,
  ValuesResponse,
} from '@redoubt/contract';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { AuditDownload } from './audit-download.ts';
import { comparable, textOf, type StatementField } from '@redoubt/query/rows';
import { chartOf, isSample, listedValue, measure, openSample, valueList } from './field-sample.ts';
import type { ProfileCache } from './profile-cache.ts';
import type { SeenStore } from './seen-visibility.ts';
import { resolveReadScope, type ReadScope, type ReadScopeDeps } from './read-scope.ts';
import { collectResponseBody, type ResponseBody } from './response-body.ts';
import { whileAllowed } from './visibility-check.ts';

export interface ProfileService {
  /** Describes the values of fields. */
  profiles(
    actor: Member,
    datasetId: string,
    request: ProfilesRequest,
    signal: AbortSignal,
  ): Promise<ResponseBody>;
  /** Lists the most frequent values of a field. */
  values(
    actor: Member,
    datasetId: string,
    request: ValuesRequest,
    signal: AbortSignal,
  ): Promise<ResponseBody>;
}

export interface ProfileServiceDeps extends ReadScopeDeps {
  auditDownload: AuditDownload;
  cache: ProfileCache;
  store: Pick<RecordStore, 'fields' | 'readRows' | 'visibleLabels' | 'visibleState'> & SeenStore;
}

export const createProfileService = (deps: ProfileServiceDeps): ProfileService => {
  const { store, clock } = deps;

  /** Returns the cached response, or computes and caches it. */
  const respond = async <Response>(
    actor: Member,
    operation: 'listValues' | 'profileFields',
    { scope, request }: { scope: ReadScope; request: object },
    compute: () => Promise<Response>,
  ): Promise<ResponseBody> => {
    const { datasetId, visible } = scope;
    await deps.auditDownload(actor, operation, [datasetId]);
    const state = await store.visibleState({ datasetId, visible, person: actor.accountId });
    const key = { person: actor.accountId, datasetId, state, visible, operation, request };
    const text = await deps.cache.remember(key, async () => JSON.stringify(await compute()));
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    return collectResponseBody(whileAllowed(body, scope.isAllowed, clock, scope.since), true);
  };

  return {
    profiles: async (actor, dataset, request, signal) => {
      const scope = await resolveReadScope(deps, actor, 'profileFields', dataset);
      return respond(actor, 'profileFields', { scope, request }, async (): Promise<ProfilesResponse> => {
        const sample = await openSample(deps, actor, scope, request, signal);
        const { records, measures } = await measure(sample);
        const profiles = request.fields.map(async (field, at): Promise<FieldProfile> => {
          const column = sample.columns[at];
          const own = measures[at] ?? { present: 0, distinct: 0, min: null, max: null };
          const { present, distinct, min, max } = own;
          const charts =
            column === undefined ? { histogram: null, top: null } : await chartOf(sample, column, own);
          const type = column?.type ?? null;
          return { field, type, missing: records - present, distinct, min, max, ...charts };
        });
        // Run them together, so that one failure ends the wait for all.
        const [isPart, described] = await Promise.all([isSample(sample, records), Promise.all(profiles)]);
        return { records, isSample: isPart, profiles: described };
      });
    },

    values: async (actor, dataset, request, signal) => {
      const scope = await resolveReadScope(deps, actor, 'listValues', dataset);
      return respond(actor, 'listValues', { scope, request }, async (): Promise<ValuesResponse> => {
        const { field, prefix = '', limit = 10, ...selection } = request;
        const sample = await openSample(deps, actor, scope, { ...selection, fields: [field] }, signal);
        const { records, measures } = await measure(sample);
        const [column] = sample.columns;
        const present = measures[0]?.present ?? 0;
        const isPossible = !prefix.includes('\0') && prefix.isWellFormed();
        const rows =
          column === undefined || !isPossible
            ? []
            : await sample.select(
                valueList(column),
                ` WHERE ${comparable(column)} IS NOT NULL${startsWith(column, prefix)} GROUP BY ${comparable(column)} ORDER BY 2 DESC, 1 LIMIT ${String(limit + 1)}`,
              );
        return {
          records,
          isSample: await isSample(sample, records),
          values: rows.slice(0, limit).map(listedValue),
          missing: records - present,
          more: rows.length > limit,
        };
      });
    },
  };
};

const startsWith = (column: StatementField, prefix: string): string =>
  prefix === '' ? '' : ` AND starts_with(lower(${textOf(column)}), lower('${prefix.replaceAll("'", "''")}'))`;
