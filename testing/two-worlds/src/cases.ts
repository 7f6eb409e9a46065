import type { OperationId } from '@redoubt/contract';
import type { Case } from './case.ts';
import { accountCases } from './cases/accounts.ts';
import { apiKeyCases } from './cases/api-keys.ts';
import { applicationCases, applicationGrantCases, oauthCases } from './cases/applications.ts';
import { attributeAssignmentCases, attributeCases } from './cases/attributes.ts';
import { auditLogCases } from './cases/audit-log.ts';
import { authenticationCases } from './cases/authentication.ts';
import { billingCases } from './cases/billing.ts';
import { bulkReadCases } from './cases/bulk-reads.ts';
import { connectionCases, connectionPermissionCases } from './cases/connections.ts';
import { datasetRowCases } from './cases/dataset-rows.ts';
import { datasetCases, datasetPermissionCases } from './cases/datasets.ts';
import { documentQueryCases } from './cases/documents.ts';
import { groupCases, groupMembershipCases } from './cases/groups.ts';
import { identityProviderCases, singleSignOnCases } from './cases/identity-providers.ts';
import {
  ingestCases,
  recordSourceCases,
  uploadCases,
  uploadFileCases,
  uploadPreviewCases,
} from './cases/ingest.ts';
import { mediaCases } from './cases/media.ts';
import { labelVisibilityCases } from './cases/label-visibility.ts';
import { indexCases } from './cases/indexes.ts';
import { labelParserCases } from './cases/label-parsers.ts';
import { recordCases } from './cases/records.ts';
import { transferRequestCases, workspacePermissionCases } from './cases/permissions.ts';
import { cancelQuery, query } from './cases/sql.ts';
import { sourcePreviewCases } from './cases/source-previews.ts';
import { jobCases, storageCases } from './cases/storage.ts';
import { summaryCases } from './cases/summaries.ts';
import { systemCases } from './cases/system.ts';
import { invitationCases, userCases } from './cases/users.ts';
import { scheduleCases } from './cases/schedules.ts';
import { workbenchCases } from './cases/workbench.ts';
import { workspaceCases } from './cases/workspaces.ts';

/**
 * The requests that both worlds get for each call of the API. A call without a case does not compile. The pages of the
 * documentation have no case, because they are static files: neither data nor the requester changes them.
 */
export const cases: Record<OperationId, Case> = {
  ...authenticationCases,
  ...accountCases,
  ...userCases,
  ...invitationCases,
  ...workspaceCases,
  ...apiKeyCases,
  ...attributeCases,
  ...attributeAssignmentCases,
  ...groupCases,
  ...groupMembershipCases,
  ...datasetCases,
  ...datasetPermissionCases,
  ...workspacePermissionCases,
  ...transferRequestCases,
  ...labelParserCases,
  ...recordCases,
  ...bulkReadCases,
  query,
  cancelQuery,
  ...documentQueryCases,
  ...storageCases,
  ...uploadCases,
  ...recordSourceCases,
  ...mediaCases,
  ...uploadFileCases,
  ...uploadPreviewCases,
  ...sourcePreviewCases,
  ...labelVisibilityCases,
  ...ingestCases,
  ...connectionCases,
  ...connectionPermissionCases,
  ...indexCases,
  ...jobCases,
  ...summaryCases,
  ...datasetRowCases,
  ...scheduleCases,
  ...workbenchCases,
  ...identityProviderCases,
  ...singleSignOnCases,
  ...auditLogCases,
  ...applicationCases,
  ...applicationGrantCases,
  ...oauthCases,
  ...billingCases,
  ...systemCases,
};
