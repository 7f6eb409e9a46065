import { libchdbPath } from 'chdb/libchdb';
import { DataType, load, open } from 'ffi-rs';

/**
 * Runs a ClickHouse server in this process. The library of the embedded engine contains the program `clickhouse`, which
 * can listen on ports. Its last statement reads standard input, so closing the input shuts the server down cleanly.
 */

const [configuration = '', folder = '', httpPort = '', nativePort = ''] = process.argv.slice(2);
const statements = [
  'SYSTEM START LISTEN TCP',
  'SYSTEM START LISTEN HTTP',
  "SELECT count() FROM file('-', 'LineAsString') FORMAT Null",
];
const commandLine = [
  'clickhouse',
  `--config-file=${configuration}`,
  `--path=${folder}`,
  '--listen_host=127.0.0.1',
  `--http_port=${httpPort}`,
  `--tcp_port=${nativePort}`,
  `--query=${statements.join('; ')}`,
];

// Without its parent, the test process, the server must not keep running.
const die = (): boolean => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', die);
if (!process.connected) die();

open({ library: 'chdb', path: libchdbPath() });
await load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.BigInt,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [commandLine.length, commandLine],
  runInNewThread: true,
});
process.exit(0);
