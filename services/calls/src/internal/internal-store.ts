import { exists, row, type Reader } from '@tutoring/shared/database/sql';
import type { Call } from '../call/call.ts';

/** The live call of a room: at most one, since each of its two people has at most one. */
export const findLiveCallOfRoom = (reader: Reader, channel: string) =>
  row<Pick<Call, 'channel' | 'rtc_token' | 'rtc_token_expires_at'>>(
    reader,
    `select channel, rtc_token, rtc_token_expires_at from call where channel = $1 and state in ('ringing', 'active')`,
    [channel],
  );

export const findPeopleOfCall = (reader: Reader, identifier: string) =>
  row<Pick<Call, 'student_id' | 'teacher_id'>>(
    reader,
    'select student_id, teacher_id from call where identifier = $1',
    [identifier],
  );

export const isInLiveCall = (reader: Reader, userId: number) =>
  exists(
    reader,
    `select 1 from call where student_id = $1 and state in ('ringing', 'active')
     union all select 1 from call where teacher_id = $1 and state in ('ringing', 'active') limit 1`,
    [userId],
  );
