import { createCipheriv, createDecipheriv } from 'node:crypto';
import { open, rename, rm, utimes } from 'node:fs/promises';
import { packedIdBytes } from '@redoubt/records';

/** How files of views are encrypted. The key lives in memory alone, so the files of an earlier process are noise. */
export interface ViewCipher {
  /** 32 bytes. */
  key: Buffer;
  /** A number that no other file under this key has. */
  nextFile(): number;
}

/** A part of a view file: what its maker noted, and the ids of one page. */
export interface ViewPage {
  note: string;
  /** How many ids the view has. */
  total: number;
  ids: Buffer;
}

interface FileContent {
  note: string;
  /** Text that a reader must repeat; with another text the file counts as unreadable. */
  purpose: string;
  ids: Buffer;
}

const algorithm = 'aes-256-gcm';
const tagBytes = 16;
/** The number of the file and the length of its sealed note. */
const startBytes = 10;
/** Ids that are encrypted together: a page reads one or two such chunks. */
const chunkIds = 4096;
const chunkBytes = chunkIds * packedIdBytes;

/** Never the same twice: files have different numbers, and so have the parts of a file. */
const nonceOf = (file: number, part: number): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(file, 0, 6);
  nonce.writeUIntBE(part, 6, 6);
  return nonce;
};

const seal = (key: Buffer, nonce: Buffer, text: Uint8Array, purpose = ''): Buffer => {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
};

/** @throws Error if the bytes were sealed with another key, nonce or purpose */
const unseal = (key: Buffer, nonce: Buffer, sealed: Buffer, purpose = ''): Buffer => {
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
};

/** Writes a view under a temporary name and renames it when it is complete. `usedAt` is in seconds. */
export const writeViewFile = async (
  { key, nextFile }: ViewCipher,
  { path, usedAt, note, purpose, ids }: FileContent & { path: string; usedAt: number },
): Promise<void> => {
  const file = nextFile();
  const sealedNote = seal(
    key,
    nonceOf(file, 0),
    Buffer.from(JSON.stringify({ note, total: ids.length / packedIdBytes })),
    purpose,
  );
  const start = Buffer.alloc(startBytes);
  start.writeUIntBE(file, 0, 6);
  start.writeUInt32BE(sealedNote.length, 6);
  const partial = `${path}.partial`;
  try {
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(Buffer.concat([start, sealedNote]));
      for (let at = 0; at < ids.length; at += chunkBytes) {
        const nonce = nonceOf(file, 1 + at / chunkBytes);
        await handle.writeFile(seal(key, nonce, ids.subarray(at, at + chunkBytes)));
      }
    } finally {
      await handle.close();
    }
    await utimes(partial, usedAt, usedAt);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** The number of bytes of a view's note in its file. */
export const readNoteBytes = async (path: string): Promise<number> => {
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(startBytes), position: 0 });
    return buffer.readUInt32BE(6);
  } finally {
    await handle.close();
  }
};

/** Reads a page of a view. Undefined if the file is for another purpose or was not written under this key. */
export const readViewFile = async (
  { key }: ViewCipher,
  { path, purpose, offset, limit }: { path: string; purpose: string; offset: number; limit: number },
): Promise<ViewPage | undefined> => {
  const handle = await open(path, 'r');
  try {
    const read = async (position: number, length: number): Promise<Buffer> => {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(length), position });
      return buffer.subarray(0, bytesRead);
    };
    const start = await read(0, startBytes);
    if (start.length < startBytes) return undefined;
    const file = start.readUIntBE(0, 6);
    const noteBytes = start.readUInt32BE(6);
    let opened: Buffer;
    try {
      opened = unseal(key, nonceOf(file, 0), await read(startBytes, noteBytes), purpose);
    } catch {
      return undefined;
    }
    const { note, total } = JSON.parse(opened.toString()) as Pick<ViewPage, 'note' | 'total'>;
    const end = Math.min(total, offset + limit);
    const first = Math.floor(offset / chunkIds);
    const chunks: Buffer[] = [];
    for (let chunk = first; chunk * chunkIds < end; chunk++) {
      const position = startBytes + noteBytes + chunk * (chunkBytes + tagBytes);
      chunks.push(unseal(key, nonceOf(file, 1 + chunk), await read(position, chunkBytes + tagBytes)));
    }
    const from = offset - first * chunkIds;
    const ids = Buffer.concat(chunks).subarray(
      from * packedIdBytes,
      Math.max(from, end - first * chunkIds) * packedIdBytes,
    );
    return { note, total, ids };
  } finally {
    await handle.close();
  }
};
