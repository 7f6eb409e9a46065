import S3rver from '@20minutes/s3rver';

/** Runs an S3 service with one bucket, whose objects are files in a folder. Port 0 means any free port. */
const [folder = '', bucket = '', requestedPort = '0'] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(requestedPort),
  silent: true,
  directory: folder,
  vhostBuckets: false,
  // The service computes wrong signatures for bucket URLs that end in a slash. It still checks the account.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket }],
});
const { port } = await server.run();
process.stdout.write(`listening on ${String(port)}\n`);
process.on('disconnect', () => process.exit(0));
