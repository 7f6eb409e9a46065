import { Type } from 'typebox';
import { idParams } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { User } from './users.ts';

/** The largest picture that is taken, in bytes. */
export const maxPictureBytes = 2 * 1024 * 1024;

const Picture = Type.String({ description: 'The bytes of the picture.' });
const tag = 'Users';
const params = idParams('The id of the user.');

export const profilePictureRoutes = {
  setProfilePicture: defineRoute({
    method: 'POST',
    path: '/users/{id}/picture',
    operationId: 'setProfilePicture',
    tag,
    summary: 'Set one’s own picture',
    description: `The body is a PNG, JPEG or WebP of at most ${maxPictureBytes / 1024 / 1024} MB; what it is is read from its bytes. It is drawn anew at 256 by 256, so that nothing of the file but what is to be seen is kept.`,
    caller: 'person',
    bearer: true,
    accountWide: true,
    params,
    body: Picture,
    bodyType: 'image/*',
    rawBody: true,
    success: { status: 201, description: 'The user.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'FileParseError'],
  }),
  getProfilePicture: defineRoute({
    method: 'GET',
    path: '/users/{id}/picture',
    operationId: 'getProfilePicture',
    tag,
    summary: 'Get the picture of a person',
    description: 'A WebP of 256 by 256. A person without one is 404.',
    caller: 'person',
    params,
    success: {
      status: 200,
      description: 'The picture.',
      schema: Picture,
      mediaType: 'image/webp',
      streamed: true,
    },
    errors: ['AuthError', 'NotFoundError'],
  }),
  deleteProfilePicture: defineRoute({
    method: 'DELETE',
    path: '/users/{id}/picture',
    operationId: 'deleteProfilePicture',
    tag,
    summary: 'Remove one’s own picture',
    description: 'A person without one is 404.',
    caller: 'person',
    bearer: true,
    accountWide: true,
    params,
    success: { status: 200, description: 'The user.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
