import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ModuleMocker } = require('jest-mock') as { ModuleMocker: new (global: typeof globalThis) => unknown };

/** Saves the values of an object's own properties. The returned function restores them and deletes new properties. */
function saveProperties(object: object): () => void {
  const before = Object.getOwnPropertyDescriptors(object) as Record<PropertyKey, PropertyDescriptor>;
  return () => {
    for (const key of Reflect.ownKeys(object)) {
      const value = before[key];
      if (value === undefined) Reflect.deleteProperty(object, key);
      else if ('value' in value && Reflect.get(object, key) !== value.value) Reflect.defineProperty(object, key, value);
    }
  };
}

/** Uses the globals of the worker. Changes of a test file to them and to `process.env` are undone at its end. */
export default class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  private readonly restore = [globalThis, process, process.env].map(saveProperties);
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
