import { existsSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { DataFolderError } from '../files/data-folder.ts';
import { isOperatorFacing, OperatorError } from './operator-error.ts';

/** A socket for commands of the machine's operator. It is in the data folder, which no other user can open. */
export interface Control {
  close(): Promise<void>;
}

/** The handlers of commands by name: each takes the arguments and returns the text to print. */
export type ControlCommands = Readonly<Record<string, (words: readonly string[]) => Promise<string>>>;

const socketOf = (dataFolder: string): string => join(dataFolder, 'control.sock');

/** Maximum length of a socket path in bytes, on the operating system with the lowest limit. */
const maxPathBytes = 103;

/**
 * Checks the length of the socket's path. Call it first, since opening the engines takes seconds.
 * @throws DataFolderError if the path is too long
 */
export const checkSocketPath = (dataFolder: string): void => {
  const excess = Buffer.byteLength(socketOf(dataFolder)) - maxPathBytes;
  if (excess > 0) {
    throw new DataFolderError(
      `The path of the data folder ${dataFolder} is ${excess} bytes too long for the socket in it. Set DATA_DIR to a shorter path.`,
    );
  }
};

const perform = async (commands: ControlCommands, sent: string): Promise<string> => {
  const [name = '', ...words] = JSON.parse(sent) as string[];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new OperatorError(
      `The running server does not know the command "${name}". Restart it with the version of this command line.`,
    );
  return command(words);
};

/**
 * Listens for requests of `sendCommand`.
 * @param failed called with unexpected errors, which the response does not contain
 */
export const openControl = async (
  dataFolder: string,
  commands: ControlCommands,
  failed: (error: unknown) => void,
): Promise<Control> => {
  const path = socketOf(dataFolder);
  rmSync(path, { force: true });
  const server = createServer((incoming, response) => {
    // A kept-alive connection would delay the stop of the server.
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
                : 'The command failed. The log of the server has the cause.',
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

/**
 * Sends a command to the server that is running on a data folder.
 * @returns its response text
 * @throws OperatorError if no server is running, or the command fails
 */
export const sendCommand = async (dataFolder: string, words: readonly string[]): Promise<string> => {
  const socketPath = socketOf(dataFolder);
  const notRunning = new OperatorError(
    `No server is running on ${dataFolder}. Start it, or set DATA_DIR to the folder of the running server.`,
  );
  if (!existsSync(socketPath)) throw notRunning;
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method: 'POST', path: '/' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new OperatorError(text));
      });
    });
    outgoing.on('error', () => reject(notRunning));
    outgoing.end(JSON.stringify(words));
  });
};
