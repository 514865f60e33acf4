import { benchTeachers } from './identity/teachers.ts';

/** `npm run bench -- teachers [seconds]`: the search for teachers among 1,000 and among 100,000. */
export const run = ([seconds = '4']: string[]): Promise<void> => benchTeachers(Number(seconds));
