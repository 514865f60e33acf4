import { createRequire } from 'node:module';
import { importTestFile } from './native-modules.ts';

type Run = (...args: unknown[]) => Promise<unknown>;

const require = createRequire(import.meta.url);
const { default: runCircus } = require('jest-circus/runner') as { default: Run };

/** Replaces jest's module loader: Node loads the modules. */
const nativeRuntime = {
  /** Loads the module anew for each test file, because it stores the tests of the file. */
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

/** While `work` runs, stack traces contain paths instead of file URLs, as jest expects. */
async function withPathsInStacks<T>(work: () => Promise<T>): Promise<T> {
  const prepare = Error.prepareStackTrace;
  if (!prepare) throw new Error('jest has not set Error.prepareStackTrace');
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
  withPathsInStacks(() => runCircus(globalConfig, config, environment, nativeRuntime, testPath, report));

export default run;
