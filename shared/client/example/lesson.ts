/**
 * A student looks for a teacher and rings: `node example/lesson.ts <base url> <e-mail> <password>`.
 * The account is one that was registered and verified before (see Try it in the README).
 */
import { createTutoringClient, payload, TutoringError } from '../src/client.ts';

const [baseUrl = 'http://127.0.0.1:8080', email = 'awa@example.com', password = 'a good secret'] =
  process.argv.slice(2);
const session: { token?: string } = {};
const api = createTutoringClient({ baseUrl, token: () => session.token });

const login = payload(
  await api.POST('/api/auth/login', { body: { email, password, gauth_type: 'email', platform: 'student' } }),
);
session.token = login.token;
console.log(`Logged in as ${login.user.name}, with ${login.user.solde} to spend.`);

const teachers = payload(await api.GET('/api/teachers', { params: { query: { q: 'Kossi' } } }));
const [teacher] = teachers.data;
if (!teacher) throw new Error('no such teacher');

try {
  const call = payload(await api.POST('/api/call/init', { body: { teacher_user_id: teacher.id, call_type: 'audio' } }));
  console.log(`${teacher.name} hears it ring on channel ${call.channel}.`);
  payload(await api.POST('/api/call/cancel', { body: { teacher_user_id: teacher.id } }));
} catch (error) {
  if (!(error instanceof TutoringError)) throw error;
  console.log(`${teacher.name} cannot be called: ${error.message} (${error.status})`);
}
