import { Type } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

export const DraftKey = strictObject(
  { key: Type.String({ description: '32 bytes in base64url, for AES-256-GCM.' }) },
  { title: 'DraftKey' },
);

export const draftKeyRoutes = {
  getDraftKey: defineRoute({
    method: 'GET',
    path: '/me/draft-key',
    operationId: 'getDraftKey',
    tag: 'Authentication',
    summary: 'Get the key of your drafts',
    description:
      'Returns the key with which the console encrypts unsaved work in the browser: always the same for one person in one workspace. Without a session nobody can decrypt the drafts. Keep it in memory only.',
    caller: 'member',
    bearer: true,
    success: { status: 200, description: 'The key.', schema: DraftKey },
    errors: ['AuthError', 'ForbiddenError'],
  }),
} as const;
