type Json = Record<string, unknown>;

const TIME = '2026-11-20T21:04:06.593904Z';
const ROOM = '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11';
const CALL = '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410';
const TOKEN = '12|mQ4vJ8sT0bXyZ2aC6dE9fG1hK3nP5rU7wLoIqBtVj1c2d3e4';
const PAGE = 'https://api.example.com/api/paymentsall?page=2';

/** What a property of that name looks like in real life. A list is tried in order; the first that fits the type counts. */
const BY_NAME: Record<string, unknown> = {
  about_me: 'I prepare pupils for the baccalauréat',
  accepted_at: TIME,
  account: '+22890445566',
  action: 'withdrawal.updated',
  active: [true, 3],
  address: '12 rue des Cocotiers',
  admin_id: 1,
  admin_name: 'Ada Mensah',
  admins: 3,
  after: [1042, { status: 'success' }],
  amount: 5000,
  availability: 'Weekdays after 5 pm',
  available: 4800,
  balance: 5000,
  base_cost: ['100', 100],
  before: [1043, CALL, { status: 'pending' }],
  bio: 'Teaches mathematics with patience',
  channel: ROOM,
  checkout_url: 'https://checkout.example.com/pay/cs_8a51',
  city: 'Lomé',
  client_message_id: 'b7c1f0de-5521',
  code: '493021',
  commission: 1250,
  count: 42,
  country: 'Togo',
  created_at: TIME,
  currency: 'XOF',
  current_page: 1,
  current_password: 'a good secret',
  data: 'The administrator has been created.',
  deposit: '12',
  description: 'Smallest deposit, in the smallest unit of the currency',
  details: 'Paid by transfer',
  device_key: 'fcm-device-registration-token',
  device_token: 'fcm-device-registration-token',
  domains: ['Mathematics, Physics', [1, 2]],
  email: 'awa@example.com',
  ended_at: TIME,
  experience: 4,
  expires_at: TIME,
  fcm_token: 'fcm-device-registration-token',
  filter_value: 'awa',
  first_page_url: PAGE.replace('2', '1'),
  forfeit: false,
  from: [1, '2026-11-01'],
  gauth_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDk4In0.c2lnbmF0dXJl',
  gauth_type: 'email',
  held: 200,
  id: [12, '12'],
  identifier: CALL,
  image_cost: 10,
  iterator: ['60', 60],
  iterator_cost: ['50', 50],
  label: '1',
  last_page: 3,
  last_page_url: PAGE.replace('2', '3'),
  last_used_at: TIME,
  level: 'default',
  level_study: 'Terminale',
  limit: 50,
  message_link: 'https://files.example.com/exercise.pdf',
  messages: 1250,
  method: 'mobile_money',
  next_due_at: TIME,
  next_page_url: PAGE,
  nonce: 'n-0S6_WzA2Mj',
  online: true,
  page: 1,
  pageItems: 15,
  password: 'a good secret',
  path: 'https://api.example.com/api/paymentsall',
  per_page: 15,
  phone_number: '+22890112233',
  photo: 'https://api.example.com/api/assets/avatar.png',
  plan: 1,
  plan_id: 1,
  platform: 'student',
  points: 100,
  prev_page_url: PAGE.replace('2', '1'),
  provider: 'sandbox',
  q: 'mathematics',
  ref: 'BANK-77',
  request_id: '5e1c3a0e-2f52-4c7b-9b1e-8a6a4c0d2f77',
  reset_token: 'kT3vB0xY8mQ2',
  revenue: 12500,
  room_uuid: ROOM,
  rooms: 64,
  rtc_token: '007eJxTYNi5',
  seconds: 7260,
  sender_id: 12,
  service_id: 1,
  skill_id: 1,
  solde: 4800,
  status: 'active',
  statusCode: 404,
  steps: 3,
  student_id: 12,
  student_user_id: 12,
  students: 1180,
  subject: 'withdrawal:12',
  subjects_interest: 'Algebra',
  teacher_id: 7,
  teacher_user_id: 7,
  teachers: 96,
  time: '5 minutes ago',
  to: [15, '2026-11-30'],
  total: 38,
  total_cost: 250,
  total_duration: 130,
  transactions_count: 18,
  up_to: 1042,
  updated_at: TIME,
  url: PAGE,
  user_id: 12,
  users: 1276,
  uuid: ROOM,
  value: 100,
  verified: [true, '1'],
};
for (const status of ['initiated', 'pending', 'success', 'failed', 'canceled']) BY_NAME[status] = 8;

/** What the name of many things looks like, by the path (or the schema) that it stands in; the first that fits counts. */
const BY_PLACE: Record<string, [RegExp, string][]> = {
  message: [
    [/room|support|message/i, 'Bonjour'],
    [/./, 'It is done.'],
  ],
  name: [
    [/skill/i, 'Mathematics'],
    [/plan/i, 'Standard'],
    [/service/i, 'VIDEO'],
    [/setting/i, 'min_deposit'],
    [/auth\/tokens|ApiToken/, 'Reporting script'],
    [/teacher/i, 'Kossi Mensah'],
    [/admin/i, 'Ada Mensah'],
    [/./, 'Awa Diallo'],
  ],
  token: [
    [/\/call\//, '007eJxTYNi5'],
    [/./, TOKEN],
  ],
};

const typeOf = (value: unknown) =>
  Array.isArray(value)
    ? 'array'
    : typeof value === 'number'
      ? Number.isInteger(value)
        ? 'integer'
        : 'number'
      : typeof value;

const options = (schema: Json): Json[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Json[] | undefined) ?? []);

function accepts(schema: Json, value: unknown): boolean {
  const types = [schema['type']].flat();
  const type = typeOf(value);
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
  return fits || options(schema).some((option) => accepts(option, value));
}

const isSettled = (schema: Json) => ['$ref', 'const', 'enum', 'example', 'examples'].some((key) => key in schema);

function exampleOf(name: string, schema: Json, path: string): unknown {
  const known = BY_PLACE[name]?.find(([where]) => where.test(path))?.[1] ?? BY_NAME[name];
  const candidates = Array.isArray(known) ? (known as unknown[]) : [known];
  return candidates.find((candidate) => candidate !== undefined && accepts(schema, candidate));
}

/** Gives every property below `schema` that says nothing more exact an example; `path` is the endpoint's. */
export function addExamples(schema: unknown, path: string, name = ''): void {
  if (typeof schema !== 'object' || schema === null) return;
  const node = schema as Json;
  const isEnumerated = options(node).some((option) => isSettled(option));
  if (name && !isSettled(node) && !isEnumerated && !('properties' in node)) {
    const example = exampleOf(name, node, path);
    if (example !== undefined) node['examples'] = [example];
  }
  for (const [key, property] of Object.entries((node['properties'] as Json | undefined) ?? {}))
    addExamples(property, path, key);
  for (const option of options(node)) addExamples(option, path);
  if (!('examples' in node)) addExamples(node['items'], path);
}
