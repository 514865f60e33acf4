/** A row of `admin/stats/daily`. */
export interface Day {
  date: string;
  new_students: number;
  new_teachers: number;
  deposits: number;
  withdrawals: number;
  charged: number;
  commission: number;
  refunded: number;
  calls: number;
  minutes: number;
  messages: number;
}
export type Column = keyof Omit<Day, 'date'>;
