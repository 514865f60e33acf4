import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

/** Prints the packages that the modules of a process load, and `undici` when it loads Node's own copy. */
const LIST = `
  import { registerHooks } from 'node:module';
  const names = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /.*node_modules[/]((?:@[^/]+[/])?[^/]+)/.exec(url) ?? [];
      if (name) names.add(name);
      return next(url, context);
    },
  });
  for (const path of process.argv.slice(1)) await import(path);
  if (process.moduleLoadList.some((name) => name.endsWith('undici/undici'))) names.add('undici');
  console.log(JSON.stringify([...names]));
  process.exit();`;

async function packagesOf(folder: string): Promise<string[]> {
  const modules = [resolve(root, folder, 'src/app.ts'), resolve(root, 'shared/kit/service.ts')];
  const ofService = folder === 'gateway' ? modules.slice(0, 1) : modules;
  const flags = ['--no-warnings', '--input-type=module', '-e', LIST, ...ofService];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: root });
  return JSON.parse(stdout) as string[];
}

const PROVIDERS = ['stripe', 'twilio', 'nodemailer', 'firebase-admin', 'jose', 'ioredis', 'otpauth'];
const TRACING = ['@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-http'];
/** Libraries that are loaded with the first uploaded file. */
const FILES = ['sharp', 'libheif-js', 'file-type', '@fastify/busboy', '@aws-sdk/client-s3'];
const ONLY_WHERE_USED = [...PROVIDERS, ...TRACING, ...FILES];

test.each([
  ['gateway', ['typeorm', 'pg']],
  ['services/identity', ['undici']],
  ['services/wallet', ['undici']],
  ['services/messaging', ['undici']],
  ['services/calls', ['undici']],
])('%s loads no libraries of providers, tracing and files at startup, nor %j', async (folder, others) => {
  const packages = await packagesOf(folder);
  expect(packages).toContain('express');
  expect(packages.filter((name) => [...ONLY_WHERE_USED, ...others].includes(name))).toEqual([]);
});
