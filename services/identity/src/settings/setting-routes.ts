import { assertThat } from '@tutoring/shared/errors';
import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { integer, pathId } from '@tutoring/shared/http/declare/fields';
import { pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { recordNotFound } from '../errors.ts';
import { settingView, settingViewOf } from './setting.ts';
import type { Settings } from './setting-service.ts';
import { findSetting, findSettings } from './setting-store.ts';

const params = z.object({ id: pathId() });

export function settingRoutes(deps: { database: Database; settings: Settings; publicUrl: string }): Route[] {
  const { settings, publicUrl } = deps;
  const { manager } = deps.database;
  const listPath = '/api/admin/settingsall';
  return [
    route({
      method: 'post',
      path: listPath,
      summary: 'Settings',
      description: 'For administrators. Paged: what can be changed while the system runs, each with what it means.',
      auth: 'admin',
      body: z.object(pageFields),
      response: pageOf(settingView),
      handle: async ({ body }) => {
        const window = pageWindow(body);
        const found = await findSettings(manager, body.filter_value ?? null, window.order);
        const items = found.slice(window.offset, window.offset + window.limit).map(settingViewOf);
        return paginate({ items, total: found.length, ...window, path: `${publicUrl}${listPath}` });
      },
    }),
    route({
      method: 'get',
      path: '/api/admin/settings/{id}',
      summary: 'A setting',
      description: 'For administrators. One setting, by id.',
      auth: 'admin',
      params,
      response: settingView,
      notFound: recordNotFound,
      handle: async ({ params: { id } }) => {
        const setting = await findSetting(manager, id);
        assertThat(setting, recordNotFound);
        return settingViewOf(setting);
      },
    }),
    route({
      method: 'put',
      path: '/api/admin/settings/{id}',
      summary: 'Change a setting',
      description:
        'For super administrators. Takes effect in every service within two seconds. A value outside the ' +
        "setting's bounds is a 422.",
      auth: 'su',
      params,
      body: z.object({ value: integer().meta({ example: 100 }) }),
      response: settingView,
      notFound: recordNotFound,
      handle: ({ params: { id }, body, caller }) => settings.update(caller, id, body.value),
    }),
  ];
}
