/** A part of a multipart body: a text, or a file with a name. */
export interface MultipartPart {
  name: string;
  content: string | Uint8Array;
  fileName?: string;
  contentType?: string;
}

const boundary = 'a-boundary-that-no-part-holds';

/** A deterministic multipart body, with its headers. */
export const multipartBody = (
  parts: readonly MultipartPart[],
): { body: Uint8Array; headers: { 'content-type': string } } => {
  const chunks = parts.flatMap(({ name, content, fileName, contentType }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n${contentType === undefined ? '' : `content-type: ${contentType}\r\n`}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
};
