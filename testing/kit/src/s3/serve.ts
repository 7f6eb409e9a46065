import S3rver from '@20minutes/s3rver';

/** An S3 service of one bucket, in front of a folder. Port 0 is a free one. */
const [folder = '', bucket = '', asked = '0'] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(asked),
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
