import type { OperationId } from '@redoubt/contract';
import type { Probe } from './probe.ts';
import { connectionPermissionProbes, connectionProbes } from './probes/connections.ts';
import {
  datasetPermissionProbes,
  datasetProbes,
  indexProbes,
  jobProbes,
  transferRequestProbes,
} from './probes/datasets.ts';
import {
  attributeAssignmentProbes,
  attributeProbes,
  groupMembershipProbes,
  groupProbes,
  workspacePermissionProbes,
  workspaceProbes,
} from './probes/groups.ts';
import {
  authenticationProbes,
  emailAddressProbes,
  invitationProbes,
  passwordResetProbes,
  profilePictureProbes,
  sessionProbes,
  userProbes,
} from './probes/people.ts';
import {
  apiKeyProbes,
  applicationGrantProbes,
  applicationProbes,
  auditLogProbes,
  billingProbes,
  identityProviderProbes,
  oauthProbes,
  singleSignOnProbes,
  systemProbes,
} from './probes/programs.ts';
import {
  ingestProbes,
  mediaProbes,
  recordSourceProbes,
  uploadFileProbes,
  sourcePreviewProbes,
  uploadPreviewProbes,
  uploadProbes,
} from './probes/ingest.ts';
import { labelVisibilityProbes } from './probes/label-visibility.ts';
import {
  bulkReadProbes,
  datasetRowProbes,
  documentQueryProbes,
  labelParserProbes,
  recordProbes,
  sqlProbes,
  storageProbes,
  summaryProbes,
} from './probes/records.ts';
import { scheduleProbes } from './probes/schedules.ts';
import { workbenchProbes } from './probes/workbench.ts';

/** A valid request for each call of the API. A missing call does not compile. */
export const probes: Record<OperationId, Probe> = {
  ...authenticationProbes,
  ...sessionProbes,
  ...userProbes,
  ...emailAddressProbes,
  ...passwordResetProbes,
  ...profilePictureProbes,
  ...invitationProbes,
  ...workspaceProbes,
  ...workspacePermissionProbes,
  ...attributeProbes,
  ...attributeAssignmentProbes,
  ...groupProbes,
  ...groupMembershipProbes,
  ...datasetProbes,
  ...datasetPermissionProbes,
  ...transferRequestProbes,
  ...labelParserProbes,
  ...recordProbes,
  ...bulkReadProbes,
  ...sqlProbes,
  ...documentQueryProbes,
  ...summaryProbes,
  ...datasetRowProbes,
  ...scheduleProbes,
  ...workbenchProbes,
  ...storageProbes,
  ...uploadProbes,
  ...recordSourceProbes,
  ...mediaProbes,
  ...uploadFileProbes,
  ...uploadPreviewProbes,
  ...sourcePreviewProbes,
  ...labelVisibilityProbes,
  ...ingestProbes,
  ...connectionProbes,
  ...connectionPermissionProbes,
  ...indexProbes,
  ...jobProbes,
  ...apiKeyProbes,
  ...applicationProbes,
  ...applicationGrantProbes,
  ...identityProviderProbes,
  ...auditLogProbes,
  ...billingProbes,
  ...oauthProbes,
  ...singleSignOnProbes,
  ...systemProbes,
};
