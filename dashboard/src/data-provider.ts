import type { LiveEvent } from '@tutoring/client';
import type { DataProvider, GetListParams, Identifier, RaRecord, UpdateParams } from 'ra-core';
import type { Edit, Query, Values } from './data/binding.ts';
import { bindingOf } from './data/bindings.ts';
import { bytesOf, errorOf, unwrap, type Client, type RawAnswer } from './server/server.ts';

/** A function that sends one request with the typed client. */
export type Call<Body> = (client: Client) => Parameters<typeof unwrap<Body>>[0];

/** Options of the typed client's `events`. */
type WatchOptions = NonNullable<Parameters<Client['events']>[0]>;

export interface ServerProvider extends DataProvider {
  /** Sends a request outside a resource: `request((client) => client.GET('/api/admin/stats'))`. Throws Refusal. */
  request: <Body>(call: Call<Body>) => ReturnType<typeof unwrap<Body>>;
  /**
   * Passes each live event to `onEvent` until the signal is aborted. Throws Refusal when the server refuses the stream.
   * Returns a promise because react-admin requires it of every method.
   */
  watch: (onEvent: (event: LiveEvent) => void, options: WatchOptions) => Promise<void>;
  /** Uploads a file to a path that accepts files. Throws Refusal. */
  upload: Client['upload'];
  /** Downloads a file: `download((client) => client.GET(path, { parseAs: 'blob' }))`. Throws Refusal. */
  download: (call: (client: Client) => Promise<RawAnswer>) => Promise<Blob>;
}

/** Runs a method of the typed client and rethrows its errors as Refusal. */
async function withRefusals<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw errorOf(error);
  }
}

/** A react-admin method that no resource supports. */
const unsupported = (method: string) => async (resource: string) => {
  throw new Error(`${method} is not supported for ${resource}`);
};

const queryOf = ({ pagination, sort, filter }: Partial<GetListParams>): Query => ({
  page: pagination?.page ?? 1,
  perPage: pagination?.perPage ?? 25,
  sort: sort ?? { field: 'id', order: 'DESC' },
  filter: (filter ?? {}) as Query['filter'],
});

function editOf({ data, previousData }: UpdateParams): Edit {
  const before = (previousData ?? {}) as Values;
  const values = data as Values;
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return { values, changes: Object.fromEntries(Object.entries(values).filter(isChanged)) };
}

/** A react-admin data provider on the typed client. Identical concurrent writes are sent once. */
export function createDataProvider(client: Client): ServerProvider {
  const running = new Map<string, Promise<unknown>>();
  function deduplicated<Answer>(write: unknown[], send: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(write);
    const earlier = running.get(key) as Promise<Answer> | undefined;
    const sent = earlier ?? send().finally(() => running.delete(key));
    running.set(key, sent);
    return sent;
  }

  const getRecord = async (resource: string, id: Identifier) =>
    (await bindingOf(resource).get?.(client, id)) ?? unsupported('getOne')(resource);

  const provider = {
    request: (call: Call<unknown>) => unwrap(call(client)),
    upload: (...args: Parameters<Client['upload']>) => withRefusals(() => client.upload(...args)),
    download: (call: (client: Client) => Promise<RawAnswer>) => bytesOf(call(client)),
    watch: (onEvent: (event: LiveEvent) => void, options: WatchOptions) =>
      withRefusals(async () => {
        for await (const event of client.events(options)) onEvent(event);
      }),
    getList: (resource: string, params: GetListParams) => bindingOf(resource).list(client, queryOf(params)),
    getOne: async (resource: string, { id }: { id: Identifier }) => ({ data: await getRecord(resource, id) }),
    getMany: async (resource: string, { ids }: { ids: Identifier[] }) => ({
      data: await Promise.all(ids.map((id) => getRecord(resource, id))),
    }),
    getManyReference: unsupported('getManyReference'),
    create: async (resource: string, { data }: { data: Partial<RaRecord> }) => {
      const binding = bindingOf(resource);
      if (!binding.create) return unsupported('create')(resource);
      return { data: await deduplicated(['create', resource, data], async () => binding.create?.(client, data)) };
    },
    update: async (resource: string, params: UpdateParams<RaRecord<Identifier>>) => {
      const binding = bindingOf(resource);
      if (!binding.update) return unsupported('update')(resource);
      const write = async () => binding.update?.(client, params.id, editOf(params));
      return { data: await deduplicated(['update', resource, params.id, params.data], write) };
    },
    updateMany: unsupported('updateMany'),
    delete: async (resource: string, { id, previousData }: { id: Identifier; previousData?: RaRecord }) => {
      const binding = bindingOf(resource);
      if (!binding.remove) return unsupported('delete')(resource);
      await deduplicated(['delete', resource, id], async () => binding.remove?.(client, id));
      return { data: previousData ?? { id } };
    },
    deleteMany: unsupported('deleteMany'),
  };
  return provider as unknown as ServerProvider;
}
