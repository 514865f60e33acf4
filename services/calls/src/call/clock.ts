export const SECOND_US = 1_000_000;

/** A moment of the database, such as `2026-11-20T21:04:06.500000Z`, so many whole microseconds later. */
export function later(at: string, us: number): string {
  const [seconds = '', fraction = ''] = at.split('.');
  const micros = Number.parseInt(fraction, 10) + us;
  const whole = Math.floor(micros / SECOND_US);
  const date = new Date(Date.parse(`${seconds}Z`) + whole * 1_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return `${date}.${String(micros - whole * SECOND_US).padStart(6, '0')}Z`;
}
