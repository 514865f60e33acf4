import type { paths } from '@tutoring/client/schema';
import { contacts, operations } from '../generated/operations.ts';
import type { Client, PayloadOf } from '../server/server.ts';
import type { Binding, Query } from './binding.ts';
import { bindings } from './bindings.ts';

/*
 * What the signed-in administrator may do. A request needs what the API reference says about its operation; a page,
 * column or button without it is not shown. The operation of a resource or query is the one that its function calls.
 */

type OwnRights = paths['/api/admin/auth/rights']['get']['responses'][200]['content']['application/json'];
/** Level, roles and rights of the signed-in administrator. */
export type Rights = PayloadOf<OwnRights>;
export type Right = Rights['rights'][number];
export type Role = Rights['roles'][number];

/** A method and path that administrators may be allowed to call, such as `PUT /api/admin/users/{id}`. */
export type Operation = keyof typeof operations;

/** Actions on a resource. Each is a function of its binding. */
export type ResourceAction = keyof Binding;

/** Every right. */
export const allRights = (): Right[] => [
  ...new Set([...Object.values(operations).flatMap((needed) => (needed === 'su' ? [] : needed)), 'contacts' as const]),
];

const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name);

/** The operation that a function of the typed client calls first. Nothing is sent. Throws for any other function. */
export function operationOf(call: (client: Client) => unknown): Operation {
  const called: string[] = [];
  const record = (method: string) => (path: string) => {
    called.push(`${method} ${path}`);
    return new Promise(() => undefined);
  };
  const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [method, record(method)] as const);
  void call(Object.fromEntries(methods) as unknown as Client);
  const [name = ''] = called;
  if (!isOperation(name)) throw new Error(`The API reference has no operation “${name}” for administrators`);
  return name;
}

const EVERYTHING: Query = { page: 1, perPage: 1, sort: { field: 'id', order: 'ASC' }, filter: {} };

function callOf(binding: Binding, action: ResourceAction): ((client: Client) => unknown) | undefined {
  const { get, create, update, remove } = binding;
  const calls = {
    list: (client: Client) => binding.list(client, EVERYTHING),
    get: get && ((client: Client) => get(client, 0)),
    create: create && ((client: Client) => create(client, {})),
    update: update && ((client: Client) => update(client, 0, { values: {}, changes: {} })),
    remove: remove && ((client: Client) => remove(client, 0)),
  };
  return calls[action];
}

const ofResources = new Map<string, Operation | undefined>();

/** The operation of an action; undefined if the resource does not have the action. */
export function operationOfResource(resource: string, action: ResourceAction): Operation | undefined {
  const key = `${resource} ${action}`;
  if (!ofResources.has(key)) {
    const binding = new Map<string, Binding>(Object.entries(bindings)).get(resource);
    const call = binding && callOf(binding, action);
    ofResources.set(key, call && operationOf(call));
  }
  return ofResources.get(key);
}

/** Whether the operation is allowed. */
export function allows({ level, rights }: Rights, operation: Operation): boolean {
  const needed: 'su' | readonly Right[] = operations[operation];
  if (level === 'su' || needed.length === 0) return true;
  return needed !== 'su' && needed.some((right) => rights.includes(right));
}

/** Whether the action is allowed; false if the resource does not have it. */
export function allowsAction(rights: Rights, resource: string, action: ResourceAction): boolean {
  const operation = operationOfResource(resource, action);
  return operation !== undefined && allows(rights, operation);
}

/** Whether an answer of the operation has the field, as a path such as `data.email`, masked. */
export function masks(rights: Rights, operation: Operation, field: string): boolean {
  if (rights.level === 'su' || rights.rights.includes('contacts')) return false;
  const masked: Partial<Record<Operation, readonly string[]>> = contacts;
  return masked[operation]?.includes(field) === true;
}
