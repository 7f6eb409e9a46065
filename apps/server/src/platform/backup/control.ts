import { existsSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { BackupError } from './backup.ts';

/** A door for the operator of this machine: a socket in the data folder, which nobody else may enter. */
export interface Control {
  close(): Promise<void>;
}

const socketOf = (dataFolder: string): string => join(dataFolder, 'control.sock');

/** Listens for `askForBackup`. */
export const openControl = async (
  dataFolder: string,
  backup: (folder: string) => Promise<number>,
): Promise<Control> => {
  const path = socketOf(dataFolder);
  rmSync(path, { force: true });
  const server = createServer((incoming, response) => {
    let folder = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (folder += text));
    incoming.on('end', () => {
      backup(folder).then(
        (datasets) => response.end(String(datasets)),
        (error: unknown) =>
          response
            .writeHead(500)
            .end(
              error instanceof BackupError
                ? error.message
                : 'The backup failed; the log of the server has the cause.',
            ),
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
export const askForBackup = async (dataFolder: string, folder: string): Promise<number> => {
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
    asking.end(folder);
  });
};
