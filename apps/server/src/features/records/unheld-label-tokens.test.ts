/* Shows: D-tokens-off-alike */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Dataset, IssuedApiKey } from '@redoubt/contract';
import {
  sendRequest,
  createRecordFixture,
  labelField,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

interface ErrorBody {
  name: string;
  message: string;
}

/** The status of a success. */
const statusOf = (path: string): number =>
  path.includes('/schema/') ? 201 : path.includes('/labels') ? 202 : 200;

describe('labels in a workspace whose writes create no attributes', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  let writer: TestPerson;
  /** A dataset of the writer's own. */
  let own: string;
  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    const { workspace } = fixture;
    writer = await fixture.newReader('HELD');
    await fixture.call(201, 'POST', '/attributes', { body: { name: 'Of others', token: 'OTHERS' } });
    await fixture.call(200, 'PATCH', `/workspaces/${workspace.id}`, {
      body: { createAttributesOnWrite: false },
    });
    const body = { name: 'Own', workspaceId: workspace.id };
    own = (await fixture.call<Dataset>(201, 'POST', '/datasets', { token: writer.token, body })).id;
  });

  /** Each call that takes a label, called with this one. */
  const callsWith = (label: string) =>
    ({
      'the label of a record': [
        'POST',
        `/v2/write/${own}`,
        { records: [{ label }], securityLabelInfo: labelField },
      ],
      'the label that stands for others': [
        'POST',
        `/v2/write/${own}`,
        {
          records: [{ label: 7 }],
          securityLabelInfo: { ...labelField, labelHandlingPolicy: 'replace', replacementString: label },
        },
      ],
      'the label of a column in a write': [
        'POST',
        `/v2/write/${own}`,
        { records: [{ n: 1 }], columnSecurityLabelInfo: { n: { securityLabel: label } } },
      ],
      'the label of a column': ['PATCH', `/write/schema/${own}`, { other: { securityLabel: label } }],
      'the new label of records': [
        'PATCH',
        `/storage/datasets/${own}/labels`,
        { label, recordIds: ['none'] },
      ],
    }) as const;

  test('a token that the writer does not hold gets the same error whether or not the attribute exists', async () => {
    for (const shape of ['TOKEN', 'HELD&TOKEN', 'HELD|TOKEN']) {
      const [others, nobody] = ['OTHERS', 'NOBODY'].map((token) => callsWith(shape.replace('TOKEN', token)));
      assert.ok(others !== undefined && nobody !== undefined);
      for (const what of Object.keys(others) as (keyof typeof others)[]) {
        const errors: ErrorBody[] = [];
        for (const [method, path, body] of [others[what], nobody[what]])
          errors.push(await fixture.call<ErrorBody>(400, method, path, { token: writer.token, body }));
        const [known, unknown] = errors.map((error) =>
          JSON.stringify(error).replaceAll(/OTHERS|NOBODY/g, 'TOKEN'),
        );
        assert.equal(known, unknown, what);
        assert.equal(errors[0]?.name, 'SecurityError');
        assert.match(errors[0]?.message ?? '', /do not hold "OTHERS"/);
      }
    }
  });

  test('a writer may use tokens they hold, and an attribute manager may use every token that exists', async () => {
    for (const [token, label] of [
      [writer.token, 'HELD'],
      [fixture.admin, 'OTHERS|HELD'],
    ] as const) {
      for (const [method, path, body] of Object.values(callsWith(label)))
        await fixture.call(statusOf(path), method, path, { token, body });
    }
    for (const [method, path, body] of Object.values(callsWith('OTHERS|NOBODY'))) {
      const { name, message } = await fixture.call<ErrorBody>(400, method, path, { body });
      assert.equal(name, 'SecurityError');
      assert.match(message, /"NOBODY"/);
      assert.doesNotMatch(message, /"OTHERS"/);
    }
  });

  test('a key may use in labels the tokens in its scope, and no other tokens of its owner', async () => {
    const datasetId = await fixture.dataset(['write']);
    const write = async (attributeNames: string[], label: string, status: number): Promise<void> => {
      const body = {
        name: 'Key',
        description: '',
        workspaceId: fixture.workspace.id,
        groupNames: ['Readers'],
        attributeNames,
      };
      const { key } = await fixture.call<IssuedApiKey>(201, 'POST', '/api-keys', {
        token: writer.token,
        body,
      });
      const response = await sendRequest(server, 'POST', `/v2/write/${datasetId}`, {
        headers: { 'x-api-key': key },
        body: { records: [{ label }], securityLabelInfo: labelField },
      });
      assert.equal(response.status, status, JSON.stringify(response.body));
    };
    await write(['HELD'], 'HELD', 200);
    await write([], 'HELD', 400);
    await write(['HELD'], 'OTHERS', 400);
  });
});
