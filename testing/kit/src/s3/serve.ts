import S3rver from '@20minutes/s3rver';

/** An S3 service of one bucket, in front of a folder. */
const [folder = '', bucket = ''] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: folder,
  vhostBuckets: false,
  // It reckons signatures of calls on buckets as if their addresses did not end in a slash. Accounts it still checks.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket }],
});
const { port } = await server.run();
process.stdout.write(`listening on ${String(port)}\n`);
process.on('disconnect', () => process.exit(0));
