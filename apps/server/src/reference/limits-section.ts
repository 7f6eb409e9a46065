import {
  maxOpenUploads,
  maxOrGroups,
  maxInValues,
  maxPartBytes,
  maxPictureBytes,
  maxHighlightedRecords,
  maxHighlightPlaces,
  maxSummaryRecords,
  maxTokenLength,
  maxUnnamedPartBytes,
  maxUsageDays,
} from '@redoubt/contract';
import { maxAttributeLength, maxLabelDepth, maxLabelledColumns, maxLabelLength } from '@redoubt/labels';
import { sqlLimits } from '@redoubt/query';
import { defaultIntakeLimits, defaultStoreLimits, maxLabels, maxNesting, maxRecords } from '@redoubt/records';
import { defaultAttemptLimits } from '../platform/auth/attempt-limiter.ts';
import { tokenLifetimeSeconds } from '../platform/auth/tokens.ts';
import { settings } from '../platform/config/index.ts';
import { maxWaitingJobs } from '../platform/jobs/index.ts';
import { maxJsonValues } from '../platform/http/body.ts';
import { jsonBodyLimit, smallBodyBytes } from '../platform/http/register-route.ts';
import { code, count, table } from './markdown.ts';

const setBy = (name: keyof typeof settings): string => `${settings[name].default}; ${code(name)} changes it`;

const hour = 60 * 60;

/** Each limit with its value, from constants of the code and defaults of settings. */
const limits = (): readonly (readonly [what: string, limit: string])[] => [
  ['Body of a request, after decompression', setBy('MAX_BODY_BYTES')],
  ['Body of a call other than writes and uploads', `${count(jsonBodyLimit)} bytes`],
  ['Body of a call that needs no credential', `${count(smallBodyBytes)} bytes`],
  ['Values in a JSON body of such calls', count(maxJsonValues)],
  ['Uploads and previews of a person that arrive at once', count(maxOpenUploads)],
  ['Labels and metadata of an upload, each part', `${count(maxPartBytes.accessControlLabel)} bytes`],
  ['Options of an upload, each part', `${count(maxPartBytes.fileOptions)} bytes`],
  ['Parts before `datasetId` in an upload', `${count(maxUnnamedPartBytes)} bytes`],
  ['Records of one write', count(maxRecords)],
  ['One record, as JSON text', `${count(defaultIntakeLimits.maxRecordBytes)} bytes`],
  ['Nesting of objects and lists in a record', count(maxNesting)],
  ['The path of a field (its keys joined by dots)', `${count(defaultIntakeLimits.maxPathLength)} characters`],
  ['Distinct paths of the records of a dataset', setBy('MAX_PATHS')],
  [
    'Labelled columns of a dataset, of those that a person labelled or sees labelled',
    count(maxLabelledColumns),
  ],
  ['Distinct new labels of one write', count(maxLabels)],
  ['A label', `${count(maxLabelLength)} characters, parentheses ${count(maxLabelDepth)} deep`],
  ['An attribute', `${count(maxAttributeLength)} characters`],
  [
    'An SQL statement',
    `${count(sqlLimits.length)} characters, ${count(sqlLimits.tables)} datasets, ${count(sqlLimits.columns)} columns`,
  ],
  ['Time of one query', `${setBy('QUERY_TIMEOUT_SECONDS')} (in seconds)`],
  ['Memory of one query', setBy('QUERY_MEMORY_BYTES')],
  ['Time of a streamed response (`-1` records)', `${count(defaultStoreLimits.streamSeconds)} seconds`],
  ['Records of each dataset in a summary', count(maxSummaryRecords)],
  ['Records of a search with highlights', count(maxHighlightedRecords)],
  ['Highlighted places of a record', count(maxHighlightPlaces)],
  [
    'Records of one range of `/splits`',
    `${count(defaultStoreLimits.splitRecords)}, or more if there would be over ${count(defaultStoreLimits.maxSplits)} ranges`,
  ],
  ['Values of `$in` and `$nin` in a list', count(maxInValues)],
  ['Alternatives of `$or` in a list', count(maxOrGroups)],
  ['Days of one response about usage', count(maxUsageDays)],
  ['A profile picture', `${count(maxPictureBytes)} bytes`],
  ['A token that is sent', `${count(maxTokenLength)} characters`],
  ['A session', `${count(tokenLifetimeSeconds / hour)} hours`],
  ['Jobs of a workspace that run at once', setBy('JOBS_PER_WORKSPACE')],
  ['Waiting jobs of a person in a workspace', count(maxWaitingJobs)],
  [
    'Requests with a password that are checked at once',
    `${count(defaultAttemptLimits.perAddress)} from one address, ${count(defaultAttemptLimits.whole)} in a process`,
  ],
  ['Requests a minute with a credential', setBy('RATE_LIMIT_PER_CREDENTIAL')],
  ['Requests a minute without one, from one address', setBy('RATE_LIMIT_PER_ADDRESS')],
];

export const limitsSection = (): string => table(['What', 'Limit'], limits());
