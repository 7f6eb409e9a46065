import { existsSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { DataFolderError } from '../files/data-folder.ts';
import { ObjectStoreError } from '../files/index.ts';
import { BackupError } from './backup-error.ts';

/** A door for the operator of this machine: a socket in the data folder, which nobody else may enter. */
export interface Control {
  close(): Promise<void>;
}

const socketOf = (dataFolder: string): string => join(dataFolder, 'control.sock');

/** Bytes of the path of a socket, by the system that allows the fewest. */
const longestPath = 103;

/**
 * Listens for `askForBackup`.
 * @param failed told of faults that the asker learns nothing of
 * @throws DataFolderError for a path that no socket can have
 */
export const openControl = async (
  dataFolder: string,
  backup: (place: string) => Promise<number>,
  failed: (fault: unknown) => void,
): Promise<Control> => {
  const path = socketOf(dataFolder);
  const excess = Buffer.byteLength(path) - longestPath;
  if (excess > 0) {
    throw new DataFolderError(
      `The path of the data folder ${dataFolder} is too long for the socket in it, by ${excess} bytes: set DATA_DIR to a shorter one.`,
    );
  }
  rmSync(path, { force: true });
  const server = createServer((incoming, response) => {
    let place = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (place += text));
    incoming.on('end', () => {
      backup(place).then(
        (datasets) => response.end(String(datasets)),
        (error: unknown) => {
          const isClear = error instanceof BackupError || error instanceof ObjectStoreError;
          if (!isClear) failed(error);
          response
            .writeHead(500)
            .end(isClear ? error.message : 'The backup failed; the log of the server has the cause.');
        },
      );
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
};

/** Has the server that runs on a data folder make a backup; gives how many datasets it holds. */
export const askForBackup = async (dataFolder: string, place: string): Promise<number> => {
  const socketPath = socketOf(dataFolder);
  const nobody = new BackupError(
    `No server runs on ${dataFolder}: start it, or set DATA_DIR to the folder of the one that does.`,
  );
  if (!existsSync(socketPath)) throw nobody;
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, method: 'POST', path: '/backup' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Number(text));
        else reject(new BackupError(text));
      });
    });
    asking.on('error', () => reject(nobody));
    asking.end(place);
  });
};
