import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ModuleMocker } = require('jest-mock') as { ModuleMocker: new (global: typeof globalThis) => unknown };

/** Remembers the values of an object's own properties; the result puts them back and deletes what has come since. */
function remember(object: object): () => void {
  const before = Object.getOwnPropertyDescriptors(object) as Record<PropertyKey, PropertyDescriptor>;
  return () => {
    for (const key of Reflect.ownKeys(object)) {
      const value = before[key];
      if (value === undefined) Reflect.deleteProperty(object, key);
      else if ('value' in value && Reflect.get(object, key) !== value.value) Reflect.defineProperty(object, key, value);
    }
  };
}

/** The worker's own globals; what a test file changes in them or in `process.env` is put back at its end. */
export default class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  private readonly restore = [globalThis, process, process.env].map(remember);
  setup(): Promise<void> {
    return Promise.resolve();
  }
  teardown(): Promise<void> {
    for (const restore of this.restore) restore();
    return Promise.resolve();
  }
  getVmContext() {
    return null;
  }
}
