import { z } from 'zod';
import { day } from '@tutoring/shared/kit/http/declare/fields';
import { sentences } from '@tutoring/shared/kit/http/read/validation';

const MAX_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1_000;
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** UTC days, both included. */
export const statsPeriod = z
  .object({ from: day().meta({ example: '2026-11-01' }), to: day().meta({ example: '2026-11-30' }) })
  .refine(({ from, to }) => to >= from, { path: ['to'], error: () => sentences.notBefore('from') })
  .refine(({ from, to }) => daysBetween(from, to) <= MAX_DAYS, { path: ['to'], error: () => sentences.invalid });
export type StatsPeriod = z.output<typeof statsPeriod>;

const seconds = z.int().nullable().meta({ description: 'Seconds; null without cases.', example: 840 });
const spread = z.strictObject({ median: seconds, p90: seconds }).meta({ id: 'DeskSpread' });
const score = z.string().meta({ description: 'Average with one decimal; empty without ratings.', example: '4.6' });

export const deskStats = z
  .strictObject({
    opened: z.int().meta({ example: 40 }),
    resolved: z.int().meta({ example: 38 }),
    reopened: z.int().meta({ example: 3 }),
    first_reply: spread,
    resolution: spread,
    rated: z.int().meta({ example: 12 }),
    score,
    by_agent: z.array(
      z
        .strictObject({
          id: z.int().meta({ example: 3 }),
          name: z.string().meta({ example: 'Ada Min' }),
          resolved: z.int().meta({ example: 20 }),
          first_reply_median: seconds,
          score,
        })
        .meta({ id: 'DeskAgent' }),
    ),
  })
  .meta({ id: 'DeskStats' });
export type DeskStats = z.infer<typeof deskStats>;
