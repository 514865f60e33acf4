import { SESSION } from '@tutoring/shared/kit/database/session';
import { Client } from 'pg';

export type ProvisionOptions = {
  /** Services; each gets a database, an owner role and a service role. */
  names: readonly string[];
  /** By role name without the prefix: `wallet_owner`, `wallet_service`. */
  passwords: Readonly<Record<string, string>>;
  /** Prefix of all database and role names, so that several systems or tests can share a server. */
  prefix?: string;
};

export type Provisioned = { database: string; ownerUrl: string; serviceUrl: string };

const IDENTIFIER = /^[a-z][a-z0-9_]{0,40}$/;
/** Key of the advisory lock that serializes concurrent calls on one server. */
const LOCK = 7_204_211;

function passwordOf(passwords: Readonly<Record<string, string>>, role: string): string {
  const password = passwords[role];
  if (!password) throw new Error(`provision: no password for ${role}`);
  return password;
}

function urlFor(adminUrl: string, database: string, user?: string, password?: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (user !== undefined) url.username = encodeURIComponent(user);
  if (password !== undefined) url.password = encodeURIComponent(password);
  return url.href;
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function exists(client: Client, sql: string, name: string): Promise<boolean> {
  return (await client.query(sql, [name])).rows.length > 0;
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const known = await exists(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1', role);
  await client.query(`${known ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

/** Stores session settings in the role, because a pooler does not pass on the settings of its clients. */
async function setSession(client: Client, role: string): Promise<void> {
  for (const [name, value] of Object.entries(SESSION))
    await client.query(`ALTER ROLE ${role} SET ${name} = '${value}'`);
}

/** Creates the database. A caller that is not a superuser must be a member of the owner role to do so. */
async function ensureDatabase(client: Client, database: string, owner: string): Promise<void> {
  const superuser = await exists(
    client,
    "SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper AND $1 <> ''",
    owner,
  );
  if (!superuser) await client.query(`GRANT ${owner} TO CURRENT_USER`);
  if (await exists(client, 'SELECT 1 FROM pg_database WHERE datname = $1', database)) return;
  await client.query(`CREATE DATABASE ${database} OWNER ${owner} ENCODING 'UTF8' TEMPLATE template0`);
}

function grants(database: string, owner: string, service: string): string[] {
  const byDefault = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public GRANT`;
  return [
    `SET ROLE ${owner}`,
    `REVOKE ALL ON DATABASE ${database} FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${database} TO ${service}`,
    `ALTER SCHEMA public OWNER TO ${owner}`,
    `GRANT USAGE ON SCHEMA public TO ${service}`,
    `${byDefault} SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${service}`,
    `${byDefault} USAGE ON SEQUENCES TO ${service}`,
    `${byDefault} EXECUTE ON FUNCTIONS TO ${service}`,
    'CREATE EXTENSION IF NOT EXISTS pg_trgm',
    'CREATE EXTENSION IF NOT EXISTS unaccent',
  ];
}

async function provisionOne(
  admin: Client,
  adminUrl: string,
  name: string,
  options: ProvisionOptions,
): Promise<Provisioned> {
  const database = `${options.prefix ?? ''}${name}`;
  const owner = `${database}_owner`;
  const service = `${database}_service`;
  if (!IDENTIFIER.test(database)) throw new Error(`provision: "${database}" is not a valid database name`);
  const ownerPassword = passwordOf(options.passwords, `${name}_owner`);
  const servicePassword = passwordOf(options.passwords, `${name}_service`);
  await ensureRole(admin, owner, ownerPassword);
  await ensureRole(admin, service, servicePassword);
  await setSession(admin, service);
  await ensureDatabase(admin, database, owner);
  await connected(urlFor(adminUrl, database), async (client) => {
    for (const statement of grants(database, owner, service)) await client.query(statement);
  });
  return {
    database,
    ownerUrl: urlFor(adminUrl, database, owner, ownerPassword),
    serviceUrl: urlFor(adminUrl, database, service, servicePassword),
  };
}

/**
 * Creates missing databases, owner roles and service roles, and sets the passwords. The owner creates the tables; a
 * service role may only read and write the tables of its own database. `adminUrl` needs a superuser, or a role with
 * CREATEDB and CREATEROLE.
 */
export async function provision(adminUrl: string, options: ProvisionOptions): Promise<Record<string, Provisioned>> {
  return connected(adminUrl, async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const done: [string, Provisioned][] = [];
    for (const name of options.names) done.push([name, await provisionOne(admin, adminUrl, name, options)]);
    return Object.fromEntries(done);
  });
}
