import type { RuleViolation } from '@tutoring/shared/http/read/validation';

/** The rules that are broken, each with its field and sentence. */
export const violations = (...rules: [isBroken: unknown, field: string, sentence: string][]): RuleViolation[] =>
  rules.filter(([isBroken]) => isBroken).map(([, field, sentence]) => [[field], sentence]);
