import type { StatusName } from '../shared/status.tsx';

interface Named {
  id: number;
  name: string;
}

export interface Report {
  id: number;
  reason: 'spam' | 'abuse' | 'fraud' | 'other';
  details: string;
  status: Extract<StatusName, 'open' | 'resolved' | 'rejected'>;
  note: string;
  reporter: Named;
  /** Who is reported. */
  user: Named;
  room_uuid: string | null;
  /** Of the call that it is about. */
  identifier: string | null;
  created_at: string;
  updated_at: string;
}
