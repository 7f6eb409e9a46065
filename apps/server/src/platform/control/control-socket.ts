import { existsSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { DataFolderError } from '../files/data-folder.ts';
import { isOperatorFacing, OperatorError } from './operator-error.ts';

/** A door for the operator of this machine: a socket in the data folder, which nobody else may enter. */
export interface Control {
  close(): Promise<void>;
}

/** What the operator can ask of the running server: each takes words and gives what to print. */
export type ControlCommands = Readonly<Record<string, (words: readonly string[]) => Promise<string>>>;

const socketOf = (dataFolder: string): string => join(dataFolder, 'control.sock');

/** Bytes of the path of a socket, by the system that allows the fewest. */
const longestPath = 103;

/**
 * To be asked before anything else is opened, which takes seconds.
 * @throws DataFolderError for a folder in which no socket can be
 */
export const checkSocketPath = (dataFolder: string): void => {
  const excess = Buffer.byteLength(socketOf(dataFolder)) - longestPath;
  if (excess > 0) {
    throw new DataFolderError(
      `The path of the data folder ${dataFolder} is too long for the socket in it, by ${excess} bytes: set DATA_DIR to a shorter one.`,
    );
  }
};

const perform = async (commands: ControlCommands, sent: string): Promise<string> => {
  const [name = '', ...words] = JSON.parse(sent) as string[];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new OperatorError(`The server that runs knows no command "${name}".`);
  return command(words);
};

/**
 * Listens for `askServer`.
 * @param failed told of faults that the asker learns nothing of
 */
export const openControl = async (
  dataFolder: string,
  commands: ControlCommands,
  failed: (fault: unknown) => void,
): Promise<Control> => {
  const path = socketOf(dataFolder);
  rmSync(path, { force: true });
  const server = createServer((incoming, response) => {
    // A connection that is kept would hold up the end of the server.
    response.shouldKeepAlive = false;
    let sent = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (sent += text));
    incoming.on('end', () => {
      perform(commands, sent).then(
        (text) => response.end(text),
        (error: unknown) => {
          if (!isOperatorFacing(error)) failed(error);
          response
            .writeHead(500)
            .end(
              isOperatorFacing(error)
                ? error.message
                : 'The command failed; the log of the server has the cause.',
            );
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

/** Has the server that runs on a data folder do something; gives what it says. */
export const askServer = async (dataFolder: string, words: readonly string[]): Promise<string> => {
  const socketPath = socketOf(dataFolder);
  const nobody = new OperatorError(
    `No server runs on ${dataFolder}: start it, or set DATA_DIR to the folder of the one that does.`,
  );
  if (!existsSync(socketPath)) throw nobody;
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, method: 'POST', path: '/' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new OperatorError(text));
      });
    });
    asking.on('error', () => reject(nobody));
    asking.end(JSON.stringify(words));
  });
};
