import { z } from 'zod';
import { isAddedAfter10 } from '@tutoring/shared/contract/settings';
import { integer, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute, pageFields } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import * as settings from './setting-service.ts';
import { settingView, settingViewOf } from './setting.ts';
import { findSetting, findSettings } from './setting-store.ts';

const params = z.object({ id: pathId() });

const isLater = ({ name }: { name: string }) => isAddedAfter10(name);

export const settingRoutes = (parts: Parts): Route[] => [
  listRoute('post /api/admin/settingsall', {
    summary: 'Settings',
    description: 'For administrators. Paged: values that can be changed at run time, each with a description.',
    auth: 'admin',
    right: 'any',
    body: z.object(pageFields),
    item: settingView,
    publicUrl: parts.publicUrl,
    list: async ({ filter_value: given = null }, { order, offset, limit }) => {
      const all = await findSettings(parts.database.manager, given, order);
      // Settings added by later releases have the highest ids: lists them last, also in descending order.
      const found = order === 'desc' ? all.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b))) : all;
      return { items: found.slice(offset, offset + limit).map(settingViewOf), total: found.length };
    },
  }),
  route('get /api/admin/settings/{id}', {
    summary: 'A setting',
    description: 'For administrators. One setting, by id.',
    auth: 'admin',
    right: 'any',
    params,
    response: settingView,
    handle: async ({ params: { id } }) => settingViewOf(found(await findSetting(parts.database.manager, id))),
  }),
  route('put /api/admin/settings/{id}', {
    summary: 'Change a setting',
    description:
      'For super administrators. Takes effect in every service within two seconds. A value outside the ' +
      "setting's bounds is a 422.",
    auth: 'su',
    params,
    body: z.object({ value: integer().meta({ example: 100 }) }),
    response: settingView,
    handle: ({ params: { id }, body, caller }) => settings.update(parts, caller, id, body.value),
  }),
];
