import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Below the ports that the system chooses itself, so that a port is still free at a later start. */
const lowest = 15_000;
const highest = 32_000;

const isFree = async (port: number): Promise<boolean> => {
  const listener = createServer().listen(port, '127.0.0.1');
  try {
    await once(listener, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    listener.close();
  }
};

/** Different ports of loopback on which nothing listens now. */
export const freePorts = async (count: number): Promise<number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
};

export const isListening = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
