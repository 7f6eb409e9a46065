import { applicationGrantRoutes } from '../application-grants.ts';
import { applicationRoutes } from '../applications.ts';
import { apiKeyRoutes } from '../api-keys.ts';
import { attributeAssignmentRoutes } from '../attribute-assignments.ts';
import { attributeRoutes } from '../attributes.ts';
import { auditLogRoutes } from '../audit-log.ts';
import { authenticationRoutes } from '../authentication.ts';
import { billingRoutes } from '../billing.ts';
import { bulkReadRoutes } from '../bulk-reads.ts';
import { connectionPermissionRoutes } from '../connection-permissions.ts';
import { connectionRoutes } from '../connections.ts';
import { customIdentityProviderRoutes } from '../custom-identity-providers.ts';
import { datasetPermissionRoutes } from '../dataset-permissions.ts';
import { datasetRowRoutes } from '../dataset-rows.ts';
import { datasetRoutes } from '../datasets.ts';
import { documentQueryRoutes } from '../document-queries.ts';
import { draftKeyRoutes } from '../draft-keys.ts';
import { emailAddressRoutes } from '../email-addresses.ts';
import { exportRoutes } from '../exports.ts';
import { groupMembershipRoutes } from '../group-memberships.ts';
import { groupRoutes } from '../groups.ts';
import { indexRoutes } from '../indexes.ts';
import { ingestRoutes } from '../ingest.ts';
import { invitationRoutes } from '../invitations.ts';
import { labelParserRoutes } from '../label-parsers.ts';
import { jobRoutes } from '../jobs.ts';
import { passwordResetRoutes } from '../password-resets.ts';
import { profilePictureRoutes } from '../profile-pictures.ts';
import { oauthRoutes } from '../oauth.ts';
import { queryHistoryRoutes } from '../query-history.ts';
import { mediaRoutes } from '../media.ts';
import { recordSourceRoutes } from '../record-sources.ts';
import { recordRoutes } from '../records.ts';
import { savedQueryRoutes } from '../saved-queries.ts';
import { scheduleRoutes } from '../schedules.ts';
import { sessionRoutes } from '../sessions.ts';
import { singleSignOnRoutes } from '../single-sign-on.ts';
import { sqlRoutes } from '../sql-query.ts';
import { storageRoutes } from '../storage.ts';
import { summaryRoutes } from '../summaries.ts';
import { systemRoutes } from '../system.ts';
import { transferRequestRoutes } from '../transfer-requests.ts';
import { labelVisibilityRoutes } from '../label-visibility.ts';
import { uploadFileRoutes } from '../upload-files.ts';
import { sourcePreviewRoutes } from '../source-previews.ts';
import { uploadPreviewRoutes } from '../upload-previews.ts';
import { uploadRoutes } from '../uploads.ts';
import { userRoutes } from '../users.ts';
import { workspacePermissionRoutes } from '../workspace-permissions.ts';
import { workspaceRoutes } from '../workspaces.ts';
import type { RouteDescriptor } from './route.ts';

/**
 * Every call of the API by its operationId; `routes.listUsers` keeps its exact types.
 *
 * To add a feature, export `const userRoutes = { listUsers: defineRoute({…}), … } as const` from its file, import it
 * above and add the line `...userRoutes,` below. Each key must equal its operationId, and no two routes may share
 * method and path. A feature file imports from `./core/*.ts`, never from here or from `index.ts`.
 */
export const routes = {
  ...authenticationRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...emailAddressRoutes,
  ...passwordResetRoutes,
  ...profilePictureRoutes,
  ...invitationRoutes,
  ...workspaceRoutes,
  ...workspacePermissionRoutes,
  ...attributeRoutes,
  ...attributeAssignmentRoutes,
  ...groupRoutes,
  ...groupMembershipRoutes,
  ...apiKeyRoutes,
  ...datasetRoutes,
  ...datasetPermissionRoutes,
  ...transferRequestRoutes,
  ...labelParserRoutes,
  ...recordRoutes,
  ...bulkReadRoutes,
  ...sqlRoutes,
  ...documentQueryRoutes,
  ...indexRoutes,
  ...jobRoutes,
  ...scheduleRoutes,
  ...storageRoutes,
  ...uploadRoutes,
  ...recordSourceRoutes,
  ...mediaRoutes,
  ...uploadFileRoutes,
  ...uploadPreviewRoutes,
  ...sourcePreviewRoutes,
  ...labelVisibilityRoutes,
  ...ingestRoutes,
  ...connectionRoutes,
  ...connectionPermissionRoutes,
  ...summaryRoutes,
  ...datasetRowRoutes,
  ...draftKeyRoutes,
  ...savedQueryRoutes,
  ...queryHistoryRoutes,
  ...exportRoutes,
  ...applicationRoutes,
  ...applicationGrantRoutes,
  ...oauthRoutes,
  ...billingRoutes,
  ...customIdentityProviderRoutes,
  ...singleSignOnRoutes,
  ...auditLogRoutes,
  ...systemRoutes,
} as const;

export type Routes = typeof routes;
export type OperationId = keyof Routes;

/** The same calls as an array, in the same order. */
export const allRoutes: readonly RouteDescriptor[] = Object.values(routes);
