import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a file with this content and removes its name at once, so that the system deletes the file when it is closed
 * or the process is killed.
 */
export const copyToTemporaryFile = async (content: AsyncIterable<Uint8Array>): Promise<FileHandle> => {
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-'));
  let handle: FileHandle | undefined;
  try {
    handle = await open(join(folder, 'file'), 'wx+', 0o600);
    // A single write may store only the beginning of a chunk, as on a full disk, without an error.
    for await (const chunk of content) await handle.writeFile(chunk);
    return handle;
  } catch (error) {
    await handle?.close();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
