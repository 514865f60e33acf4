import { expect } from '@jest/globals';
import { A_MOMENT_AGO } from '@tutoring/shared/testing/elapsed';
import type { Person } from './people.ts';

/* The expected responses of the journeys as complete JSON objects, with exactly these keys. */

const any = (type: unknown) => expect.any(type) as unknown;
export const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as unknown;
export const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
const DOMAINS = expect.stringMatching(/^.+, .+$/) as unknown;
const times = { created_at: TIMESTAMP, updated_at: TIMESTAMP };

/** The envelope of a success. */
export const ok = (payload: unknown) => ({ success: true, statusCode: 200, data: payload });

/** A teacher's own profile right after verification. */
export const teacherProfile = (teacher: Person, photo: string) => ({
  id: teacher.id,
  name: teacher.name,
  email: teacher.email,
  phone_number: teacher.phone,
  platform: 'teacher',
  gauth_type: 'email',
  solde: 0,
  photo,
  address: '',
  city: '',
  country: '',
  about_me: '',
  status: 'active',
  level_study: null,
  subjects_interest: '',
  plan_id: any(Number),
  domains: DOMAINS,
  experience: 4,
  availability: '',
  bio: 'Teaches with patience',
  verified: '0',
  ...times,
});

const owner = (person: Person) => ({
  id: person.id,
  name: person.name,
  email: person.email,
  phone_number: person.phone,
});

export const pendingDeposit = (student: Person, amount: number) => ({
  id: any(Number),
  user_id: student.id,
  amount,
  currency: 'XOF',
  status: 'pending',
  method: 'card',
  ref: any(String),
  details: null,
  ...times,
  user: owner(student),
});

export const withdrawal = (teacher: Person, amount: number) => ({
  id: any(Number),
  user_id: teacher.id,
  amount,
  currency: 'XOF',
  status: 'initiated',
  method: 'mobile_money',
  account: teacher.phone,
  ref: null,
  details: null,
  ...times,
  user: owner(teacher),
});

export const claimed = { claimed_by: { id: any(Number), name: any(String) }, claimed_at: TIMESTAMP };
export const undecided = { decided_by: null, decided_at: null };
export const decided = { decided_by: { id: any(Number), name: any(String) }, decided_at: TIMESTAMP };

export const newRoom = (student: Person, teacher: Person) => ({
  uuid: UUID,
  rtc_token: null,
  student: {
    id: student.id,
    name: student.name,
    email: student.email,
    level_study: null,
    subjects_interest: '',
    photo: any(String),
  },
  teacher: {
    id: teacher.id,
    name: teacher.name,
    email: teacher.email,
    domains: DOMAINS,
    experience: 4,
    availability: null,
    photo: any(String),
  },
  last_message: null,
  ...times,
});

export const unreadMessage = (roomUuid: string, sender: Person, text: string) => ({
  id: any(Number),
  room_uuid: roomUuid,
  sender_id: sender.id,
  message: text,
  time: A_MOMENT_AGO,
  status: 'unread',
  type: 'message',
  message_link: null,
  ...times,
});

/** The sender as the chat partner sees them: private fields are empty. */
export const partner = (person: Person) => ({
  id: person.id,
  name: person.name,
  email: person.email,
  solde: 0,
  level_study: null,
  subjects_interest: '',
  phone_number: '',
  photo: any(String),
  address: '',
  city: '',
  country: '',
  about_me: '',
  status: 'active',
  ...times,
});

const videoService = {
  id: any(Number),
  name: 'VIDEO',
  iterator: '60',
  base_cost: '100',
  iterator_cost: '50',
  ...times,
};

export const acceptedCall = (student: Person, teacher: Person, channel: string, token: string) => ({
  transaction: {
    id: any(Number),
    identifier: any(String),
    service_id: any(Number),
    student_id: student.id,
    teacher_id: teacher.id,
    plan_id: any(Number),
    total_cost: 0,
    total_duration: null,
    ...times,
    teacher: {
      id: teacher.id,
      name: teacher.name,
      plan_id: any(Number),
      domains: DOMAINS,
      experience: 4,
      availability: '',
      bio: 'Teaches with patience',
      verified: '1',
      ...times,
      transactions_count: 1,
    },
    service: videoService,
    plan: { id: any(Number), name: any(String), points: any(Number), image_cost: any(Number), ...times },
  },
  service: videoService,
  channel,
  token,
});
