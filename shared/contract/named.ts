import { z } from 'zod';

/** A person or an administrator by name. */
export const named = z
  .strictObject({ id: z.int().meta({ example: 12 }), name: z.string().meta({ example: 'Awa Diallo' }) })
  .meta({ id: 'Named' });
