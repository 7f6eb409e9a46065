import { Type } from 'typebox';
import { idParams } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { User } from './users.ts';

/** The maximum size of a picture in bytes. */
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
    summary: 'Set your picture',
    description: `The body is a PNG, JPEG or WebP of at most ${maxPictureBytes / 1024 / 1024} MB. The server detects the format from the bytes and re-encodes the picture at 256 by 256 pixels, which removes metadata.`,
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
    description: 'Returns a WebP of 256 by 256 pixels, or 404 if the person has no picture.',
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
    summary: 'Remove your picture',
    description: 'Returns 404 if you have no picture.',
    caller: 'person',
    bearer: true,
    accountWide: true,
    params,
    success: { status: 200, description: 'The user.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
