import { z } from 'zod';
import { message, room } from '@tutoring/shared/contract/room';
import { times, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { sessionView } from '../tokens/token.ts';
import { userView } from '../users/user.ts';

const uuid = '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11';
const at = '2026-11-20T21:04:06.593904Z';
const user = { id: 12, name: 'Awa Diallo', email: 'awa@example.com', phone_number: '+22890112233' };
const payment = { id: 12, user_id: 12, amount: 5000, currency: 'XOF', status: 'success', method: 'mobile_money' };
const settled = { ref: 'BANK-77', details: 'Paid by transfer', created_at: at, updated_at: at, user };

const ofDeposit = { deposit_id: 12, amount: 5000, currency: 'XOF', created_at: at, updated_at: at };
const dispute = {
  ...{ id: 7, ...ofDeposit, user: { id: 12, name: 'Awa Diallo' }, provider: 'stripe', provider_ref: 'dp_1PqRs2' },
  ...{ reason: 'fraudulent', status: 'lost', evidence_due_at: null, taken: 2000, owed: 3000 },
};
const refund = { id: 3, ...ofDeposit, user_id: 12, status: 'success', ref: 're_3Mx', details: 'Moving abroad' };

const ownMessages = z.array(message).meta({ description: "The caller's own messages, oldest first." });
const ownRoom = room.extend({ messages: ownMessages }).meta({ id: 'ExportedRoom' });
const supportRoom = z
  .strictObject({
    uuid: z.string().meta({ example: uuid }),
    user_id: z.int().meta({ example: 12 }),
    last_message_at: z.union([timestamp(), z.literal('')]),
    ...times,
    messages: ownMessages,
  })
  .meta({ id: 'ExportedSupportRoom' });

/** Rows of another service, in the shape of its own route. */
const rowsOf = (route: string, example: object) =>
  z.array(z.looseObject({})).meta({ description: `As in \`GET ${route}\`, newest first.`, example: [example] });

const file = {
  id: 77,
  url: 'https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN',
  name: 'exercise.png',
  type: 'image',
  content_type: 'image/png',
  size: 48_213,
  width: 1024,
  height: 768,
  created_at: at,
};

const call = {
  identifier: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410',
  state: 'ended',
  call_type: 'video',
  channel: uuid,
  student_id: 12,
  teacher_id: 7,
  steps: 3,
  total_cost: 250,
  total_duration: 130,
  created_at: at,
  accepted_at: at,
  ended_at: at,
};

const lesson = { student_id: 12, teacher_id: 7, student_name: 'Awa Diallo', created_at: at, updated_at: at };
const review = {
  ...lesson,
  ...{ id: 12, identifier: call.identifier, rating: 5, comment: 'She explains well', reply: '', hidden: false },
};
const booking = {
  ...lesson,
  ...{ id: 12, teacher_name: 'Kossi Mensah', starts_at: at, ends_at: at, call_type: 'video', note: '', status: 'done' },
};

const ownProfile = userView
  .extend({
    favourites: z
      .array(
        z
          .strictObject({ teacher_id: z.int(), teacher_name: z.string(), created_at: timestamp() })
          .meta({ id: 'ExportedFavourite' }),
      )
      .meta({
        description: "A student's, newest first.",
        example: [{ teacher_id: 7, teacher_name: 'Kossi Mensah', created_at: at }],
      }),
  })
  .meta({ id: 'ExportedProfile' });

/** All data that the four services store about a user. */
export const ownData = z
  .strictObject({
    profile: ownProfile,
    sessions: z.array(sessionView),
    rooms: z.array(z.union([ownRoom, supportRoom])).meta({
      description:
        "As in `GET api/rooms`, but `last_message` is the caller's own last message; the support room comes last, as " +
        'in `GET api/support/messages`.',
    }),
    calls: rowsOf('api/calls', call),
    statement: rowsOf('api/wallet/transactions', {
      ...{ id: 12, type: 'deposit', direction: 'in', amount: 5000, ref: 'BANK-77', created_at: at },
    }),
    deposits: rowsOf('api/deposits', { ...payment, ...settled }),
    withdrawals: rowsOf('api/withdrawals', { ...payment, account: '+22890445566', ...settled }),
    disputes: z.array(z.looseObject({})).meta({
      description: 'Of deposits, as administrators see them, newest first.',
      example: [dispute],
    }),
    refunds: rowsOf('api/deposit-refunds', refund),
    payout_accounts: rowsOf('api/payout-accounts', {
      ...{ id: 3, method: 'tmoney', kind: 'phone', account: '+22890445566', holder_name: 'Kossi Mensah' },
      ...{ usable_at: at, last_used_at: null, created_at: at },
    }),
    reviews: z
      .array(z.looseObject({}))
      .meta({ description: 'By a student, or of a teacher, newest first.', example: [review] }),
    bookings: z.array(z.looseObject({})).meta({ description: 'Newest first.', example: [booking] }),
    files: z.array(z.looseObject({})).meta({
      description:
        'Files uploaded for messages, in the shape of the upload route, newest first; the photo is in `profile`.',
      example: [file],
    }),
    support_cases: z.array(z.looseObject({})).meta({
      description: 'Questions to support, newest first.',
      example: [
        {
          ...{ id: 31, state: 'resolved', subject: 'I paid twice for one lesson', created_at: at, resolved_at: at },
          rating: { score: 5, comment: 'Quick and friendly.' },
        },
      ],
    }),
  })
  .meta({ id: 'OwnData' });

export type ExportKey = keyof typeof ownData.shape;
