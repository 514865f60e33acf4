import type { paths } from '@tutoring/client/schema';
import type { PayloadOf } from '../server/server.ts';

type Daily = paths['/api/admin/stats/daily']['get']['responses'][200]['content']['application/json'];
export type Day = PayloadOf<Daily>[number];
export type Column = keyof Omit<Day, 'date'>;
