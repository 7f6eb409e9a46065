import { Type, type Static } from 'typebox';
import { BooleanParameter, idSchema, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

/** How many seconds the address of a file is valid. */
export const mediaSeconds = 300;

export const MediaLookup = strictObject(
  {
    url: Type.String({
      description: `The address of the file. It works without a credential for ${String(mediaSeconds)} seconds, as long as you may see the file.`,
    }),
  },
  { title: 'MediaLookup' },
);
export type MediaLookup = Static<typeof MediaLookup>;

const tag = 'Documents';

/** A browser loads pictures and videos by an address alone, so a separate call without a credential sends the bytes. */
export const mediaRoutes = {
  serveMedia: defineRoute({
    method: 'GET',
    path: '/serve-media/{datasetId}',
    operationId: 'serveMedia',
    tag,
    summary: 'Get the address of the file of a document',
    description:
      'Returns a short-lived address of the file that a document was made from. You must see all records that were made from the file, and all columns that it fills; otherwise the response is 404, as for a document that does not exist. These rights are checked again whenever the address is used.',
    caller: 'member',
    params: strictObject({ datasetId: idSchema('The id of the dataset.') }),
    query: strictObject({
      documentId: idSchema('The `document_id` of an uploaded document. Required.'),
      download: BooleanParameter('The file is sent as an attachment.'),
    }),
    success: { status: 200, description: 'The address.', schema: MediaLookup },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  getMediaFile: defineRoute({
    method: 'GET',
    path: '/media-files/{token}',
    operationId: 'getMediaFile',
    tag,
    summary: 'Get the file of a document',
    description:
      'Sends the file of an address from GET /serve-media. The header Range is supported: 206 with a part of the file, 416 for a part that it does not have. An address that is unknown or expired is 404, and so is one whose person, session or key may no longer see the file.',
    caller: 'anyone',
    ignoresCredential: true,
    ranged: true,
    params: strictObject({
      token: Type.String({ minLength: 1, maxLength: 4000, description: 'The end of the address.' }),
    }),
    success: {
      status: 200,
      description: 'The file.',
      schema: Type.String(),
      mediaType: 'application/octet-stream',
      streamed: true,
    },
    errors: ['NotFoundError'],
  }),
} as const;
