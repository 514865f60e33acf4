import type { Caller } from '../../identity/auth.ts';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import type { Auth } from '../declare/route.ts';

const allowed: Record<Auth, (caller: Caller, callers: readonly string[]) => boolean> = {
  public: () => true,
  user: (caller) => caller.kind === 'user',
  student: (caller) => caller.kind === 'user' && caller.platform === 'student',
  teacher: (caller) => caller.kind === 'user' && caller.platform === 'teacher',
  member: (caller) => caller.kind === 'user' || caller.kind === 'admin',
  admin: (caller) => caller.kind === 'admin',
  su: (caller) => caller.kind === 'admin' && caller.level === 'su',
  service: (caller, callers) => caller.kind === 'service' && callers.includes(caller.name),
};

/**
 * Throws unauthenticated for an anonymous caller and forbidden for the wrong role. `callers`: the services that may
 * call.
 */
export function authorize(auth: Auth, caller: Caller, callers: readonly string[] = []): void {
  if (allowed[auth](caller, callers)) return;
  if (caller.kind === 'anonymous') throw new AppError('unauthenticated', texts.unauthenticated);
  throw new AppError('forbidden', texts.unauthorized);
}
