import type { Mutation } from './mutation.ts';

const walk = 'testing/access-walk/src/access-walk.test.ts';
const recordStore = 'packages/records/src/record-store.test.ts';
const keyRequests = 'apps/server/src/features/api-keys/key-requests.test.ts';

/** Mutations of what keeps data from people who may not see it, and of the results that people rely on. */
export const mutations: readonly Mutation[] = [
  // What a reader sees
  {
    name: 'label predicate',
    file: 'packages/query/src/compile/label-filter.ts',
    expression: 'IN (${printIdList(ids)})`',
    replacement: '>= 0`',
    test: {
      file: recordStore,
      name: 'a reader gets the records whose labels they satisfy and the records without a label',
    },
    reason: '+   1,\n+   2,\n+   3,',
  },
  {
    name: 'label that cannot be parsed',
    file: 'packages/labels/src/visible/visible-label-sets.ts',
    expression: 'rule !== undefined && evaluateLabel(rule, attributes)',
    replacement: 'rule === undefined || evaluateLabel(rule, attributes)',
    test: {
      file: 'packages/labels/src/visible/visible-label-sets.test.ts',
      name: 'a stored label that cannot be parsed is visible to nobody',
    },
    reason: 'Expected values to be strictly deep-equal',
  },
  {
    name: 'hidden columns and what is inside them',
    file: 'packages/labels/src/columns/hidden-columns.ts',
    expression: "outer.includes('.') ? outer.lastIndexOf('.', sharedLength(outer, before)) : -1",
    replacement: '-1',
    test: {
      file: 'packages/labels/src/columns/columns.test.ts',
      name: 'a label on a path covers that path and everything inside it, and nothing else',
    },
    reason: 'false !== true',
  },
  {
    name: 'hidden columns of a replaced record',
    file: 'packages/records/src/store/replaced-records.ts',
    expression: 'createHiddenPartReader(visible.hidden)',
    replacement: 'createHiddenPartReader([])',
    test: {
      file: 'packages/records/src/column-labels.test.ts',
      name: 'a replaced record keeps the columns hidden from its writer, and ignores what the writer sent for them',
    },
    reason: `+   '{"name":"dan"}'`,
  },
  {
    name: 'credentialsSubset only narrows',
    file: 'apps/server/src/features/records/dataset-reader.ts',
    expression: 'held.filter((token) => chosenTokens.has(token))',
    replacement: '[...chosenTokens]',
    test: {
      file: keyRequests,
      name: 'credentialsSubset limits a key further, and never adds an attribute that only its owner holds',
    },
    reason: '4 !== 2',
  },
  {
    name: 'visible records in a receipt',
    file: 'apps/server/src/features/ingest/receipt.service.ts',
    expression: 'written: counts.get(file.id) ?? 0,\n  ...hiddenMeasures',
    replacement: 'written: file.written,\n  ...hiddenMeasures',
    test: {
      file: 'apps/server/src/features/ingest/uploads.test.ts',
      name: 'a CSV is stored row by row under the label of each, and two people see different rows and receipts',
    },
    reason: '+       5,',
  },
  {
    name: 'labels of audit events',
    file: 'packages/records/src/audit/audit-store.ts',
    expression: 'hasAny(labels, ${textsOf(labels)})',
    replacement: 'notEmpty(labels)',
    test: {
      file: 'apps/server/src/features/audit-log/audit-events.test.ts',
      name: 'an event about records counts those whose labels the requester satisfies, and is hidden if there are none',
    },
    reason: '+ [\n+   0\n+ ]',
  },
  {
    name: 'minimum label of a connection',
    file: 'packages/labels/src/labeller/record-labeller.ts',
    expression: '`(${label})&(${minimum})`',
    replacement: 'label',
    test: {
      file: 'packages/labels/src/labeller/minimum-label.test.ts',
      name: 'a minimum label is joined with every label in canonical form, with none and with replacements',
    },
    reason: "+   'A|B'",
  },

  // Who may do what
  {
    name: 'access rule that allows more',
    file: 'packages/contract/src/access/access-rules.ts',
    expression: "patchDataset: dataset('manage')",
    replacement: "patchDataset: dataset('write')",
    test: { file: walk, name: 'everybody calls patchDataset' },
    reason: 'writer: 403 in the table, 200',
  },
  {
    name: 'check of an access rule in a service',
    file: 'apps/server/src/features/attributes/attribute-assignment.service.ts',
    expression: "requireCall(actor, 'createAttributeAssignment', 'assign attributes');",
    replacement: '',
    test: { file: walk, name: 'everybody calls createAttributeAssignment' },
    reason: 'self: 403 in the table, 201',
  },
  {
    name: 'workspace in a query',
    file: 'apps/server/src/features/groups/visible-groups.repository.ts',
    expression: ".where('groups.workspace_uid', '=', actor.workspace.uniqueId)",
    replacement: '',
    test: { file: walk, name: 'everybody calls getGroup' },
    reason: 'foreigner: 404 in the table, 200',
  },
  {
    name: 'attributes for oneself',
    file: 'apps/server/src/features/attributes/attribute-assignment.service.ts',
    expression: 'if (userId === actor.accountId)',
    replacement: 'if (false)',
    test: {
      file: 'apps/server/src/features/attributes/attribute-assignments.test.ts',
      name: 'nobody assigns themselves an attribute, not even an admin',
    },
    reason: '201 !== 403',
  },
  {
    name: 'role of an admin',
    file: 'apps/server/src/platform/auth/access.ts',
    expression: "role === 'admin' && !isAdmin(actor)",
    replacement: 'false',
    test: { file: walk, name: 'only an admin can give a role, and nobody can give themselves one' },
    reason: '200 !== 403',
  },
  {
    name: 'rights before rows are stored',
    file: 'apps/server/src/features/ingest/require-ingest.ts',
    expression: "write === undefined ? accessible : access.requireCall(actor, datasetId, 'deleteRecords')",
    replacement: 'accessible',
    test: {
      file: 'apps/server/src/features/ingest/write-rights.test.ts',
      name: 'an upsert that is retried or replayed by a person who may no longer read adds no rows',
    },
    reason: 'answered 202, not 403',
  },
  {
    name: 'rights while a response is sent',
    file: 'apps/server/src/features/records/visibility-check.ts',
    expression: '!(await isAllowed())',
    replacement: 'false',
    test: {
      file: 'apps/server/src/features/records/visibility-check.test.ts',
      name: 'a reader who loses access before the end of a response does not get a complete response',
    },
    reason: 'Missing expected rejection',
  },

  // Credentials
  {
    name: 'revoked key',
    file: 'apps/server/src/platform/auth/key.repository.ts',
    expression: ".where('api_keys.revoked', '=', false)",
    replacement: '',
    test: {
      file: keyRequests,
      name: 'a wrong key gets the same error, whether or not another key has its id',
    },
    reason: '200 !== 401',
  },
  {
    name: 'scope of a key',
    file: 'apps/server/src/platform/auth/key.repository.ts',
    expression: 'groupIds: JSON.parse(groupIds) as string[]',
    replacement: 'groupIds: undefined',
    test: {
      file: keyRequests,
      name: 'a key without the group to which a dataset is granted learns nothing of the dataset',
    },
    reason: '+   200,',
  },
  {
    name: 'header of a browser session',
    file: 'apps/server/src/platform/http/session-cookie.ts',
    expression: "sessionId !== '' && named === sessionId",
    replacement: "sessionId !== ''",
    test: {
      file: 'apps/server/src/features/sessions/browser-sessions.test.ts',
      name: 'the cookie is valid only together with the header that names its session',
    },
    reason: 'without the header',
  },
  {
    name: 'waiting time after wrong passwords',
    file: 'apps/server/src/platform/auth/sign-in-throttle.ts',
    expression: 'if (waitMs > 0) throw tooManyFailures(waitMs);',
    replacement: '',
    test: {
      file: 'apps/server/src/platform/auth/sign-in-throttle.test.ts',
      name: 'during the waiting time even the right password is rejected, and a rejected attempt does not prolong it',
    },
    reason: "+   'in',",
  },
  {
    name: 'end of a media address',
    file: 'apps/server/src/features/media/media-address.ts',
    expression: 'address.expiresAt > clock.now().getTime()',
    replacement: 'true',
    test: {
      file: 'apps/server/src/features/media/media.test.ts',
      name: 'an open address ends with the attribute, the session and its time',
    },
    reason: 'after its time',
  },

  // Other hosts, and programs that open files
  {
    name: 'address of the cloud host',
    file: 'apps/server/src/platform/outbound/public-addresses.ts',
    expression: "['169.254.0.0', 16],",
    replacement: '',
    test: {
      file: 'apps/server/src/platform/outbound/outbound.test.ts',
      name: 'private, loopback, link-local and embedded IPv4 addresses are not public',
    },
    reason: '169.254.169.254',
  },
  {
    name: 'formulas in CSV',
    file: 'apps/server/src/features/records/guard-formulas.ts',
    expression: 'isAfterBreak && signs.has(byte)',
    replacement: 'false',
    test: {
      file: 'apps/server/src/features/records/guard-formulas.test.ts',
      name: String.raw`the guarded form of "\"x;=A1\",\"x;\t+1;-2\"\r\n" is the same for all sizes of chunks`,
    },
    reason: `+ '"x;=A1"`,
  },

  // Results
  {
    name: 'cursor of a page',
    file: 'packages/query/src/compile/compile-search.ts',
    expression: "bound('>', request.after)",
    replacement: "bound('>=', request.after)",
    test: {
      file: recordStore,
      name: 'reading in sequence returns every record once, in the order of ids, with a cursor',
    },
    reason: "\n+   '01",
  },
  {
    name: 'total of a page',
    file: 'packages/records/src/store/record-reads.ts',
    expression: 'ended && (rows > 0 || offset === 0) ? offset + rows : undefined',
    replacement: 'ended && (rows > 0 || offset === 0) ? rows : undefined',
    test: {
      file: 'packages/records/src/sql-pages.test.ts',
      name: 'a page of a statement that has a limit of its own is a page of the rows that this limit leaves',
    },
    reason: '+   total: 8',
  },
  {
    name: 'sums of a receipt',
    file: 'apps/server/src/features/ingest/receipt.repository.ts',
    expression: 'coalesce(sum(',
    replacement: 'coalesce(max(',
    test: {
      file: 'apps/server/src/features/ingest/upload-files.test.ts',
      name: 'people see their own uploads, and files of other people if they see a record of them',
    },
    reason: '+   2\n',
  },
];
