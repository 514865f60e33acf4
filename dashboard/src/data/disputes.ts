import { unwrap, type Client } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Query } from './binding.ts';

type Filter = BodyOf<'/api/admin/disputesall', 'post'>;
/** `due` is not a status of the server: it selects the disputes that wait for an answer. */
type DisputeQuery = Query<Omit<NonNullable<Filter>, 'status'> & { status?: string }>;
type Status = NonNullable<NonNullable<Filter>['status']>;

/** The statuses in which the provider waits for evidence. */
const DUE = ['needs_response', 'inquiry'] as const satisfies Status[];

const MAX_PAGE = 100;

const fetchPage = (client: Client, query: DisputeQuery) => {
  // The status comes from the page's address: the server answers 422 to an unknown one.
  const body = pageOf(query) as NonNullable<Filter>;
  return client.POST('/api/admin/disputesall', { body });
};

async function fetchAll(client: Client, query: DisputeQuery) {
  const rows = [];
  for (let page = 1, total = 1; (page - 1) * MAX_PAGE < total; page += 1) {
    const answer = await unwrap(fetchPage(client, { ...query, page, perPage: MAX_PAGE }));
    rows.push(...answer.data);
    ({ total } = answer);
  }
  return rows;
}

/** The disputes that wait for an answer, by deadline; those without a deadline come last. */
async function listDue(client: Client, query: DisputeQuery) {
  const { page, perPage, filter } = query;
  const lists = await Promise.all(DUE.map((status) => fetchAll(client, { ...query, filter: { ...filter, status } })));
  const deadlineOf = ({ evidence_due_at: at }: { evidence_due_at: string | null }) => Date.parse(at ?? '') || Infinity;
  const all = lists.flat().sort((one, other) => {
    const [first, second] = [deadlineOf(one), deadlineOf(other)];
    return first === second ? one.id - other.id : first - second;
  });
  return { data: all.slice((page - 1) * perPage, page * perPage), total: all.length };
}

export const disputes = {
  list: async (client, query: DisputeQuery) =>
    query.filter.status === 'due' ? listDue(client, query) : rowsOf(await unwrap(fetchPage(client, query))),
  get: (client, id) => unwrap(client.GET('/api/admin/disputes/{id}', idOf(id))),
} satisfies Binding;
