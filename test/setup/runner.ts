import { createRequire } from 'node:module';
import { importTestFile } from './native-modules.ts';

type Run = (...args: unknown[]) => Promise<unknown>;

const require = createRequire(import.meta.url);
const { default: runCircus } = require('jest-circus/runner') as { default: Run };

/** Gives jest's test runner modules that Node loads, in place of jest's own loader. */
const nativeRuntime = {
  /** Fresh for each test file: it keeps the file's tests. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    return require(path);
  },
  setGlobalsForRuntime: () => undefined,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: importTestFile,
  requireModule: require,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

const FRAME = /^(\s+at .*?)file:\/\/([^?:)]+)(?:\?test-file=\d+)?/gm;

/** Stacks name files as jest prints them, by path, while `work` runs. */
async function namingFilesByPath<T>(work: () => Promise<T>): Promise<T> {
  const prepare = Error.prepareStackTrace;
  if (!prepare) throw new Error('jest formats stacks');
  Error.prepareStackTrace = (error, frames) => {
    const stack: unknown = prepare(error, frames);
    return typeof stack === 'string' ? stack.replace(FRAME, '$1$2') : stack;
  };
  try {
    return await work();
  } finally {
    Error.prepareStackTrace = prepare;
  }
}

const run: Run = (globalConfig, config, environment, _runtime, testPath, report) =>
  namingFilesByPath(() => runCircus(globalConfig, config, environment, nativeRuntime, testPath, report));

export default run;
