import { setTimeout as pause } from 'node:timers/promises';
import { SECRETS } from '../../journeys/system.ts';
import { CHECKER_FROM, COMMISSION_PERCENT, PRICES, type Pair } from '../oracle/oracle.ts';
import type { Random } from '../seed.ts';
import type { Person, Staff } from '../person.ts';
import type { World } from '../world.ts';
import { createExporter, createRegistration, createVisitor } from './account.ts';
import { createClient, type Client } from './client.ts';
import { createLesson } from './lesson.ts';
import { startListener, type Listener } from './listener.ts';
import { createDepositor } from './money.ts';
import { createDesk } from './payout-desk.ts';
import { createUploader, createWriter } from './talk.ts';
import { createWithdrawals } from './withdrawal.ts';

const READ_PATHS = [
  'api/me',
  'api/teachers',
  'api/wallet',
  'api/wallet/transactions',
  'api/rooms',
  'api/calls',
  'api/deposits',
];
const SETTINGS = {
  commission_percent: COMMISSION_PERCENT,
  min_withdrawal: 1,
  min_deposit: 1,
  deposit_refunds: 1,
  recover_debts: 1,
  payout_checker_from: CHECKER_FROM,
  max_free_rings: 1_000,
  call_ring_timeout_seconds: 5,
};

/** Where administrators pay withdrawals. */
const DESKS = ['first desk', 'second desk'];

type Action = () => Promise<unknown>;

const COLLEAGUE = {
  name: 'Second Clerk',
  email: 'second.clerk@example.com',
  password: 'a colleague of the first',
  phone_number: '+22890112299',
};

async function loginAdmin(client: Client, { email, password }: Record<'email' | 'password', string>): Promise<Staff> {
  const session = (await client.get<{ token: string; admin: { id: number } }>({
    method: 'POST',
    path: 'api/admin/auth/login',
    body: { email, password },
  }))!;
  return { id: session.admin.id, token: session.token };
}

/** A second administrator, with every role but not a super administrator. */
async function hire(client: Client, by: Staff): Promise<Staff> {
  // After a lost answer a repeat is refused.
  await client.ask({ method: 'POST', path: 'api/admin/admins', by, body: COLLEAGUE, refusals: [422] });
  return loginAdmin(client, COLLEAGUE);
}

/** Sets settings and prices as an administrator, before the users register. */
async function configurePlatform(client: Client): Promise<Staff> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = SECRETS;
  const admin = await loginAdmin(client, { email, password });
  const settings = await client.get<{ data: { id: number; name: string }[] }>({
    method: 'POST',
    path: 'api/admin/settingsall',
    by: admin,
    body: { pageItems: 100 },
  });
  for (const { id, name } of settings?.data ?? []) {
    const value = (SETTINGS as Record<string, number>)[name];
    if (value !== undefined)
      await client.get({ method: 'PUT', path: `api/admin/settings/${id}`, by: admin, body: { value } });
  }
  const services = await client.get<{ id: number; name: string }[]>({ path: 'api/services' });
  for (const { id, name } of services ?? []) {
    const { iterator, base, step } = PRICES[name.toLowerCase() as 'video' | 'audio'];
    const body = { iterator, base_cost: base, iterator_cost: step };
    await client.get({ method: 'PUT', path: `api/admin/services/${id}`, by: admin, body });
  }
  return admin;
}

/** Starts the simulated users, each with an independent stream of random numbers. */
export async function startCrowd(world: World, size: number) {
  const client = createClient(world);
  const admin = await configurePlatform(client);
  const skills = (await client.get<{ id: number }[]>({ path: 'api/skills' }))!;
  const plans = (await client.get<{ id: number }[]>({ path: 'api/plans' }))!;
  const form = { domains: skills.slice(0, 2).map(({ id }) => id), plan: plans[0]!.id };
  const { register, login } = createRegistration(world, client, form);
  const deposit = createDepositor(world, client, admin);
  const staff = [admin, await hire(client, admin)] as const;
  const withdraw = createWithdrawals(world, client, staff);
  const payOut = createDesk(world, client, staff);
  const lesson = createLesson(world, client);
  const writer = createWriter(world, client);
  const upload = createUploader(world, client);
  const visit = createVisitor(world, client, login);
  const exportOwn = createExporter(world);
  let newcomers = 0;

  async function makePair(number: number): Promise<Pair> {
    const student = await register('student', `Student ${number}`);
    const teacher = await register('teacher', `Teacher ${number}`);
    if (!student || !teacher) throw new Error('a user could not register');
    await client.get({ method: 'PUT', path: `api/admin/users/${teacher.id}`, by: admin, body: { verified: true } });
    const opened = await client.get<{ uuid: string }>({
      method: 'POST',
      path: 'api/rooms',
      by: student,
      body: { teacher_id: teacher.id },
    });
    return { student, teacher, room: opened!.uuid, doubtfulAccepts: 0 };
  }

  const readAnything = (by: Person, random: Random) => client.get({ path: random.pick(READ_PATHS), by });

  /** The actions of each person; frequent ones occur several times. */
  function actionsOf(pair: Pair, random: Random): Action[][] {
    const { student, teacher } = pair;
    const say = (by: Person) => () => writer.toPartner(pair, by, random);
    const everyone = (by: Person): Action[] => [
      say(by),
      say(by),
      say(by),
      () => writer.toSupport(by, random),
      () => readAnything(by, random),
      () => readAnything(by, random),
    ];
    const rarely =
      (deed: Action): Action =>
      () =>
        random.chance(0.15) ? deed() : Promise.resolve();
    return [
      [
        ...everyone(student),
        () => deposit(student, random),
        () => deposit(student, random),
        rarely(() => visit(student)),
        rarely(() => exportOwn(student, random)),
      ],
      [
        ...everyone(teacher),
        () => withdraw(teacher, random),
        () => withdraw(teacher, random),
        rarely(() => upload(pair, teacher, random)),
        rarely(() => visit(teacher)),
      ],
      [() => lesson(pair, random)],
    ];
  }

  async function actRepeatedly(deeds: Action[], random: Random): Promise<void> {
    while (!world.isOver()) {
      // Sometimes several actions follow one another without a pause.
      const burst = random.chance(0.1) ? random.between(3, 8) : 1;
      for (let count = 0; count < burst && !world.isOver(); count += 1) await random.pick(deeds)();
      await pause(random.pauseMs(400));
    }
  }

  async function newcomer(random: Random): Promise<void> {
    newcomers += 1;
    const person = await register(random.pick(['student', 'teacher'] as const), `Newcomer ${newcomers}`);
    if (person) await visit(person);
    await pause(random.pauseMs(2_000));
  }

  const numbers = Array.from({ length: size }, (_, number) => number);
  world.oracle.pairs.push(...(await Promise.all(numbers.map(makePair))));
  const listeners: Listener[] = [];
  for (const { student, teacher } of world.oracle.pairs)
    for (const person of [student, teacher])
      listeners.push(await startListener(world, person, world.random.fork(`listener ${person.email}`)));

  const actors = world.oracle.pairs.flatMap((pair, number) =>
    actionsOf(pair, world.random.fork(`pair ${number}`)).map((deeds, which) =>
      actRepeatedly(deeds, world.random.fork(`life ${number} ${which}`)),
    ),
  );
  const strangers = world.random.fork('newcomers');
  actors.push(actRepeatedly([() => newcomer(strangers)], strangers));
  const office = world.random.fork('office');
  const everybody = world.oracle.pairs.flatMap(({ student, teacher }) => [student, teacher]);
  actors.push(actRepeatedly([() => writer.toUser(admin, office.pick(everybody), office)], office));
  for (const desk of DESKS) {
    const random = world.random.fork(desk);
    actors.push(actRepeatedly([() => payOut(random)], random));
  }
  return {
    client,
    admin,
    listeners,
    /** Resolves when all users have finished their requests. */
    done: Promise.all(actors),
  };
}

export type Crowd = Awaited<ReturnType<typeof startCrowd>>;
