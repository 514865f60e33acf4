import { localStorageStore, memoryStore, type Store } from 'ra-core';

/** Whether a key holds the selected rows of a list. */
const isSelection = (key: string) => key.includes('.selectedIds');

/** react-admin's store in localStorage, except for selected rows, which are lost on reload. */
export function createStore(): Store {
  const persistent = localStorageStore('1', 'tutoring');
  const inMemory = memoryStore();
  const storeOf = (key: string) => (isSelection(key) ? inMemory : persistent);
  const both = [persistent, inMemory];
  return {
    setup: () => both.forEach((store) => store.setup()),
    teardown: () => both.forEach((store) => store.teardown()),
    getItem: (key, otherwise) => storeOf(key).getItem(key, otherwise),
    setItem: (key, value) => storeOf(key).setItem(key, value),
    removeItem: (key) => storeOf(key).removeItem(key),
    removeItems: (prefix) => both.forEach((store) => store.removeItems(prefix)),
    reset: () => both.forEach((store) => store.reset()),
    subscribe: (key, callback) => storeOf(key).subscribe(key, callback),
  };
}
