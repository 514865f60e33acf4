import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const OWN = '@tutoring';

/** Writes the sources of a commit to a new folder, with the installed third-party packages of this checkout. */
export async function exportSources(commit: string, folder: string): Promise<void> {
  await mkdir(folder);
  const script = 'git -C "$1" archive --format=tar "$2" | tar -x -C "$3"';
  const { status, stderr } = spawnSync('sh', ['-ec', script, 'sh', REPOSITORY, commit, folder], { encoding: 'utf8' });
  if (status !== 0 || stderr) throw new Error(`cannot export the sources of ${commit}: ${stderr}`);
  const [from, to] = [join(REPOSITORY, 'node_modules'), join(folder, 'node_modules')];
  await mkdir(join(to, OWN), { recursive: true });
  for (const name of await readdir(from)) if (name !== OWN) await symlink(join(from, name), join(to, name));
  const { workspaces } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { workspaces: string[] };
  for (const workspace of workspaces.filter((name) => !name.endsWith('*')).concat(await servicesIn(folder))) {
    const { name } = JSON.parse(await readFile(join(folder, workspace, 'package.json'), 'utf8')) as { name: string };
    await symlink(join(folder, workspace), join(to, name));
  }
}

const servicesIn = async (folder: string) =>
  (await readdir(join(folder, 'services'))).map((name) => join('services', name));

/** Turns the sources into the next minor release, which adds a column to a table of each service. */
export async function bumpRelease(folder: string): Promise<void> {
  for (const path of ['shared', ...(await servicesIn(folder))]) {
    const manifest = join(folder, path, 'package.json');
    const text = await readFile(manifest, 'utf8');
    const next = text.replace(
      /"version": "(\d+)\.(\d+)\.\d+"/,
      (_all, major, minor) => `"version": "${major}.${Number(minor) + 1}.0"`,
    );
    await writeFile(manifest, next);
    if (path === 'shared') continue;
    const sql = 'alter table outbox add column of_the_next_release text;\n';
    await writeFile(join(folder, path, 'migrations/9000000000000-of-the-next-release.sql'), sql);
  }
}
