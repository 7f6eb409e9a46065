import type { Migration } from 'kysely/migration';
import { initial } from './0001-initial.ts';
import { pathVersion } from './0002-path-version.ts';
import { columnLabels } from './0003-column-labels.ts';
import { jobs } from './0004-jobs.ts';
import { indexes } from './0005-indexes.ts';
import { apiKeys } from './0006-api-keys.ts';
import { permissions } from './0007-permissions.ts';
import { audit } from './0008-audit.ts';
import { accounts } from './0009-accounts.ts';
import { identityProviders } from './0010-identity-providers.ts';
import { applications } from './0011-applications.ts';
import { billing } from './0013-billing.ts';
import { ownPasswords } from './0014-own-passwords.ts';
import { changes } from './0015-changes.ts';
import { whatEndsWithWhat } from './0016-what-ends-with-what.ts';
import { signInFailures } from './0017-sign-in-failures.ts';
import { runningQueries } from './0018-running-queries.ts';
import { whatJobsAreAbout } from './0019-what-jobs-are-about.ts';
import { ingest } from './0020-ingest.ts';
import { sessionCookies } from './0021-session-cookies.ts';
import { jobErrors } from './0022-job-errors.ts';
import { ingestPlaces } from './0023-ingest-places.ts';
import { writeModes } from './0024-write-modes.ts';
import { unchangedFiles } from './0025-unchanged-files.ts';
import { uploadFiles } from './0026-upload-files.ts';
import { invitedAddresses } from './0028-invited-addresses.ts';
import { rejectLabels } from './0058-reject-labels.ts';
import { sourceSegments } from './0170-source-segments.ts';
import { connections } from './0177-connections.ts';
import { uploadConnections } from './0178-upload-connections.ts';
import { documentFormats } from './0175-document-formats.ts';
import { readRows } from './0188-read-rows.ts';
import { schedules } from './0186-schedules.ts';
import { documentParts } from './0187-document-parts.ts';
import { savedQueries } from './0032-saved-queries.ts';
import { queryHistory } from './0033-query-history.ts';
import { endlessJobs } from './0189-endless-jobs.ts';
import { continuedJobs } from './0190-continued-jobs.ts';
import { changedRequests } from './0191-changed-requests.ts';
import { innerDocuments } from './0192-inner-documents.ts';
import { segmentNumbers } from './0193-segment-numbers.ts';
import { labelledColumns } from './0194-labelled-columns.ts';
import { jobTurns } from './0196-job-turns.ts';
import { exportsOfSessions } from './0034-exports.ts';

/** Every migration in order. Never change the name or the effect of a released one. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-path-version': pathVersion,
  '0003-column-labels': columnLabels,
  '0004-jobs': jobs,
  '0005-indexes': indexes,
  '0006-api-keys': apiKeys,
  '0007-permissions': permissions,
  '0008-audit': audit,
  '0009-accounts': accounts,
  '0010-identity-providers': identityProviders,
  '0011-applications': applications,
  '0013-billing': billing,
  '0014-own-passwords': ownPasswords,
  '0015-changes': changes,
  '0016-what-ends-with-what': whatEndsWithWhat,
  '0017-sign-in-failures': signInFailures,
  '0018-running-queries': runningQueries,
  '0019-what-jobs-are-about': whatJobsAreAbout,
  '0020-ingest': ingest,
  '0021-session-cookies': sessionCookies,
  '0022-job-errors': jobErrors,
  '0023-ingest-places': ingestPlaces,
  '0024-write-modes': writeModes,
  '0025-unchanged-files': unchangedFiles,
  '0026-upload-files': uploadFiles,
  '0028-invited-addresses': invitedAddresses,
  '0032-saved-queries': savedQueries,
  '0033-query-history': queryHistory,
  '0034-exports': exportsOfSessions,
  '0058-reject-labels': rejectLabels,
  '0170-source-segments': sourceSegments,
  '0175-document-formats': documentFormats,
  '0177-connections': connections,
  '0178-upload-connections': uploadConnections,
  '0186-schedules': schedules,
  '0187-document-parts': documentParts,
  '0188-read-rows': readRows,
  '0189-endless-jobs': endlessJobs,
  '0190-continued-jobs': continuedJobs,
  '0191-changed-requests': changedRequests,
  '0192-inner-documents': innerDocuments,
  '0193-segment-numbers': segmentNumbers,
  '0194-labelled-columns': labelledColumns,
  '0196-job-turns': jobTurns,
};
