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

/** The highest number of a page. */
const maxPage = 1_000_000;
const PageNumber = (description: string) => Type.Integer({ minimum: 1, maximum: maxPage, description });

const PageWord = strictObject(
  {
    text: Type.String(),
    box: Type.Array(Type.Integer(), {
      minItems: 4,
      maxItems: 4,
      description: 'Left, top, width and height.',
    }),
  },
  { title: 'PageWord' },
);

export const DocumentPage = strictObject(
  {
    width: Type.Integer({
      description:
        'The width of the page in the unit of the boxes. The picture of the page may have another size; its sides are in the same proportion.',
    }),
    height: Type.Integer({ description: 'The height of the page in the unit of the boxes.' }),
    words: Type.Array(PageWord, { description: 'The words of the page, in the order of its text.' }),
  },
  { title: 'DocumentPage' },
);
export type DocumentPage = Static<typeof DocumentPage>;

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
      preview: BooleanParameter(
        'The address is that of a picture of a page, as JPEG with at most 1600 pixels on its longer side, or of the first seconds of a video, as WebM. 404 for a document that has no pictures, and for a page that it does not have.',
      ),
      page: Type.Optional(PageNumber('The page of the picture, counted from 1: by default the first.')),
    }),
    success: { status: 200, description: 'The address.', schema: MediaLookup },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  getDocumentPage: defineRoute({
    method: 'GET',
    path: '/document-pages/{datasetId}',
    operationId: 'getDocumentPage',
    tag,
    summary: 'Get the words of a page with their places',
    description:
      'Returns the words of a page of a PDF or an image with their boxes, so that words can be marked on the picture of the page. You must see all records that were made from the file, and all columns that it fills; otherwise the response is 404, as for a document that does not exist.',
    caller: 'member',
    params: strictObject({ datasetId: idSchema('The id of the dataset.') }),
    query: strictObject({
      documentId: idSchema('The `document_id` of an uploaded document. Required.'),
      page: PageNumber('The page, counted from 1. Required.'),
    }),
    success: { status: 200, description: 'The page.', schema: DocumentPage },
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
