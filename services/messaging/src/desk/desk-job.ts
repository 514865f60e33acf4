import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import type { Parts } from '../parts.ts';
import { wakeDueCases } from '../support/case-service.ts';
import { NEXT_DUE_IN } from '../support/case-store.ts';

export const wakingJob = (parts: Parts): Job => ({
  name: 'cases',
  purpose: 'opens snoozed support cases',
  dueIn: NEXT_DUE_IN,
  run: async () => moreIf(await wakeDueCases(parts)),
});
