import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const version = '4.1.0';
const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:2.8';
/** The folder of downloads that all tests of a clone share. */
const downloads = join(import.meta.dirname, '../../../../.redoubt');

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>redoubt</groupId><artifactId>kafka-of-the-tests</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`;

const runs = (command: string): boolean => spawnSync(command, ['-version']).status === 0;

const install = (...names: string[]): void => {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update'], { env });
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...names], { env });
};

/**
 * The folder with the classes of Apache Kafka, which Maven fetches once with the settings of this machine.
 * @returns why there is none, if Java or Maven is missing or the download fails
 */
export const findKafkaJars = (): { folder: string } | { missing: string } => {
  const folder = join(downloads, `kafka-${version}`);
  const isThere = existsSync(folder);
  if (!runs('java')) install('openjdk-17-jre-headless');
  if (!isThere && !runs('mvn')) install('maven');
  if (!runs('java') || (!isThere && !runs('mvn'))) {
    return {
      missing:
        'there is no Java or no Maven on this machine; install them (on Debian: sudo apt-get install openjdk-17-jre-headless maven).',
    };
  }
  if (isThere) return { folder };
  mkdirSync(downloads, { recursive: true });
  const draft = mkdtempSync(join(downloads, 'kafka-draft-'));
  try {
    writeFileSync(join(draft, 'pom.xml'), pom);
    const { status, stdout } = spawnSync(
      'mvn',
      [
        '--batch-mode',
        '--quiet',
        `${dependencyPlugin}:copy-dependencies`,
        '-DoutputDirectory=jars',
        '-DincludeScope=runtime',
      ],
      { cwd: draft, encoding: 'utf8' },
    );
    if (status !== 0)
      return { missing: `Maven could not fetch Apache Kafka ${version}: ${stdout.slice(-500)}` };
    // Another test process may have been faster.
    if (!existsSync(folder)) renameSync(join(draft, 'jars'), folder);
    return { folder };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};
