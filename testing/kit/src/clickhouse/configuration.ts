export interface ServerUser {
  readonly username: string;
  readonly password: string;
  readonly grants: readonly string[];
  /** The initial settings of the user. */
  readonly profile: Readonly<Record<string, string | number>>;
}

/** A cluster with only this server, reached by the native protocol. */
export interface ServerCluster {
  readonly name: string;
  readonly nativePort: number;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const settingsOf = (profile: ServerUser['profile']): string =>
  Object.entries(profile)
    .map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`)
    .join('');

const clusterOf = (
  { name, nativePort }: ServerCluster,
  { username, password }: Pick<ServerUser, 'username' | 'password'>,
): string => `<remote_servers><${name}><shard>
    <internal_replication>true</internal_replication>
    <replica>
      <host>127.0.0.1</host>
      <port>${nativePort}</port>
      <user>${username}</user>
      <password>${escaped(password)}</password>
    </replica>
  </shard></${name}></remote_servers>
  <macros><shard>1</shard><replica>1</replica></macros>`;

/**
 * The configuration of a server with this user. The server also has the user `default`, as which it runs its own
 * statements. The server checks rights as strictly as ClickHouse can, so rights that are sufficient here are sufficient
 * on any server.
 * @param path the path of the file that this configuration is written to
 */
export const configurationOf = (
  path: string,
  { username, password, grants, profile }: ServerUser,
  cluster: ServerCluster | undefined,
): string => `<clickhouse>
  <users_config>${escaped(path)}</users_config>
  <shutdown_wait_unfinished>0</shutdown_wait_unfinished>
  <access_control_improvements>
    <on_cluster_queries_require_cluster_grant>true</on_cluster_queries_require_cluster_grant>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
    <table_engines_require_grant>true</table_engines_require_grant>
  </access_control_improvements>
  <profiles>
    <default/>
    <${username}>${settingsOf(profile)}</${username}>
  </profiles>
  <quotas><default/></quotas>
  ${cluster === undefined ? '' : clusterOf(cluster, { username, password })}
  <users>
    <default>
      <password></password>
      <profile>default</profile>
      <quota>default</quota>
      <networks><ip>127.0.0.1</ip></networks>
    </default>
    <${username}>
      <password>${escaped(password)}</password>
      <profile>${username}</profile>
      <quota>default</quota>
      <networks><ip>127.0.0.1</ip></networks>
      <grants>${grants.map((grant) => `<query>${escaped(grant)}</query>`).join('')}</grants>
    </${username}>
  </users>
</clickhouse>
`;
