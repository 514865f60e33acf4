/** An administrator, with a living token. */
export interface Staff {
  id: number;
  token: string;
}

/** Somebody who uses the system, with a living token. */
export interface Person {
  id: number;
  platform: 'student' | 'teacher';
  name: string;
  email: string;
  password: string;
  token: string;
  /** Has never money for long. */
  isPoor: boolean;
}
