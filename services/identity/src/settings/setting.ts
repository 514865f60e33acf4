import { z } from 'zod';
import { times } from '@tutoring/shared/kit/http/declare/fields';

export const settingView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'min_deposit' }),
    value: z.int().meta({ example: 100 }),
    description: z.string().meta({ example: 'Smallest deposit, in the smallest unit of the currency' }),
    ...times,
  })
  .meta({ id: 'Setting' });

export interface Setting extends z.infer<typeof settingView> {
  version: number;
}

export const settingViewOf = ({ version: _version, ...setting }: Setting) => setting;
