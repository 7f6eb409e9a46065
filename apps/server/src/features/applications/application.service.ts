import type {
  Application,
  ApplicationCreate,
  ApplicationPatch,
  ListQuery,
  RequiredDatasetAccess,
} from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { canSeeAllObjects, requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { IsMember } from '../../platform/auth/membership.repository.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { ApplicationRepository, ApplicationSummary } from './application.repository.ts';
import { generateClientSecret, secretHashOf } from './client-secret.ts';
import { checkRedirectUrl, checkUrl } from './redirect-url.ts';

export interface ApplicationService {
  list(actor: Member, list: ListQuery): Promise<Page<Application>>;
  get(actor: Member, id: string): Promise<Application>;
  /** Returns the client secret, which cannot be read again: only its hash is stored. */
  create(actor: Member, body: ApplicationCreate): Promise<Application>;
  /** Returns the new client secret if one was requested. */
  patch(actor: Member, id: string, body: ApplicationPatch): Promise<Application>;
  remove(actor: Member, id: string): Promise<Application>;
}

const keyOf = ({ action, datasetId }: RequiredDatasetAccess): string => `${action} ${datasetId}`;
const isSameList = (before: readonly RequiredDatasetAccess[], after: readonly RequiredDatasetAccess[]) =>
  new Set([...before, ...after].map(keyOf)).size === new Set(before.map(keyOf)).size &&
  new Set(after.map(keyOf)).size === new Set(before.map(keyOf)).size;

const eventOf = (action: string, { id, name }: Pick<Application, 'id' | 'name'>): AuditEvent => ({
  type: 'WorkspaceManagement',
  description: `${action} the application "${name}"`,
  details: { applicationId: id, name },
});

export const createApplicationService = ({
  applications,
  audited,
  access,
  isMember,
  runtime: { ids, clock, random },
}: {
  applications: Omit<ApplicationRepository, 'change' | 'create' | 'remove'>;
  audited: AuditedChange<ApplicationRepository>;
  access: Pick<DatasetAccess, 'resolve'>;
  isMember: IsMember;
  runtime: Runtime;
}): ApplicationService => {
  /** Adds the users and required datasets that are visible to the actor. */
  const complete = async (actor: Member, found: readonly ApplicationSummary[]): Promise<Application[]> => {
    const applicationIds = found.map(({ id }) => id);
    const users = await applications.usersOf(applicationIds);
    const requirements = await applications.requirementsOf(actor, applicationIds);
    const seesAll = canSeeAllObjects(actor, 'getApplication');
    return found.map((application) => ({
      ...application,
      allowedUsers: (users.get(application.id) ?? []).filter((id) => seesAll || id === actor.accountId),
      requiredDatasetAccess: (requirements.get(application.id) ?? [])
        .filter(({ isVisible }) => isVisible)
        .map(({ action, datasetId }) => ({ action, datasetId })),
    }));
  };
  const get = async (actor: Member, id: string): Promise<Application> => {
    const found = await applications.find(actor, id);
    const [application] = found === undefined ? [] : await complete(actor, [found]);
    if (application === undefined) throw notFound('application', id);
    return application;
  };
  const requireUsers = async (actor: Member, userIds: readonly string[]): Promise<void> => {
    for (const id of userIds) {
      if (!(await isMember(actor.workspace.uniqueId, id))) throw notFound('user', id);
    }
  };
  const requireDatasets = async (
    actor: Member,
    required: readonly RequiredDatasetAccess[],
  ): Promise<void> => {
    for (const id of new Set(required.map(({ datasetId }) => datasetId))) await access.resolve(actor, id);
  };
  /**
   * Returns what the application requires after a change; undefined if nothing changes. Requirements of hidden datasets
   * stay: removing the last one would give the application access to all datasets of its users.
   */
  const requiredAfter = async (actor: Member, id: string, sent: readonly RequiredDatasetAccess[]) => {
    const before = (await applications.requirementsOf(actor, [id])).get(id) ?? [];
    const existing = new Set(before.map(keyOf));
    await requireDatasets(
      actor,
      sent.filter((entry) => !existing.has(keyOf(entry))),
    );
    const after = [...sent, ...before.filter(({ isVisible }) => !isVisible)];
    return isSameList(before, after) ? undefined : after;
  };
  return {
    list: async (actor, list) => {
      const page = await applications.list(actor, list);
      return { ...page, data: await complete(actor, page.data) };
    },
    get,
    create: async (actor, body) => {
      requireOwnWorkspace(actor, body.workspaceId);
      requireCall(actor, 'createApplication', 'create applications');
      checkUrl(body.url);
      checkRedirectUrl(body.redirectUrl);
      const { allowedUsers = [], requiredDatasetAccess = [] } = body;
      await requireUsers(actor, allowedUsers);
      await requireDatasets(actor, requiredDatasetAccess);
      const id = ids.uuid();
      const clientSecret = generateClientSecret(random);
      const created = eventOf('created', { id, name: body.name });
      await audited(actor, created, (repository) =>
        repository.create(
          {
            id,
            name: body.name,
            url: body.url,
            redirectUrl: body.redirectUrl,
            clientId: ids.uuid(),
            visible: body.visible ?? false,
            description: body.description ?? '',
            type: body.type ?? 'sls',
            allowedUsers,
            requiredDatasetAccess,
          },
          {
            workspaceUid: actor.workspace.uniqueId,
            secretHash: secretHashOf(clientSecret),
            createdBy: actor.accountId,
            createdAt: clock.now(),
          },
        ),
      );
      return { ...(await get(actor, id)), clientSecret };
    },
    patch: async (actor, id, { resetSecret, ...body }) => {
      const application = await get(actor, id);
      requireCall(actor, 'patchApplication', 'change applications');
      const { workspaceId, clientId } = application;
      refuseChanges({ id, workspaceId, clientId }, body);
      if (body.url !== undefined) checkUrl(body.url);
      if (body.redirectUrl !== undefined) checkRedirectUrl(body.redirectUrl);
      if (body.allowedUsers !== undefined) await requireUsers(actor, body.allowedUsers);
      const requiredDatasetAccess =
        body.requiredDatasetAccess && (await requiredAfter(actor, id, body.requiredDatasetAccess));
      const clientSecret = resetSecret === true ? generateClientSecret(random) : undefined;
      const secretHash = clientSecret && secretHashOf(clientSecret);
      // People consented to the previous access and address, so their grants end when one of these changes.
      const endsConsent =
        secretHash !== undefined ||
        requiredDatasetAccess !== undefined ||
        (body.type ?? application.type) !== application.type ||
        (body.redirectUrl ?? application.redirectUrl) !== application.redirectUrl;
      const change = { ...body, requiredDatasetAccess, secretHash };
      const action = secretHash === undefined ? 'changed' : 'created a new secret for';
      await audited(actor, eventOf(action, application), (repository) =>
        repository.change(actor.workspace.uniqueId, id, change, endsConsent ? clock.now() : undefined),
      );
      const changed = await get(actor, id);
      return clientSecret === undefined ? changed : { ...changed, clientSecret };
    },
    remove: async (actor, id) => {
      const application = await get(actor, id);
      requireCall(actor, 'deleteApplication', 'delete applications');
      await audited(actor, eventOf('deleted', application), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return application;
    },
  };
};
