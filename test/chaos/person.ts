/** An administrator with a valid token. */
export interface Staff {
  id: number;
  token: string;
}

/** A simulated user with a valid token. */
export interface Person {
  id: number;
  platform: 'student' | 'teacher';
  name: string;
  email: string;
  password: string;
  token: string;
  /** Deposits so little that calls soon end for lack of money. */
  isPoor: boolean;
}
