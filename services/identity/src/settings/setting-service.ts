import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { publish } from '@tutoring/shared/contract/publish';
import { boundsOf, SETTINGS } from '@tutoring/shared/contract/settings';
import { integer } from '@tutoring/shared/kit/http/declare/fields';
import { validate } from '@tutoring/shared/kit/http/read/validation';
import { z } from 'zod';
import { recordAction } from '../audit/audit-service.ts';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import * as tokens from '../tokens/token-service.ts';
import { settingViewOf } from './setting.ts';
import { lockSetting, seedSetting, updateSetting } from './setting-store.ts';

/** Publishes the new value to every service. Throws invalid outside the setting's bounds. */
export async function update(parts: Parts, caller: AdminCaller, id: number, value: number) {
  const setting = await parts.database.transact(async (tx) => {
    const before = found(await lockSetting(tx, id));
    await validate(z.object({ value: integer(boundsOf(before.name)) }), { value });
    if (before.value === value) return before;
    const after = await updateSetting(tx, id, value);
    publish(tx, [{ name: 'setting.changed', data: after }]);
    const facts = { before: { name: before.name, value: before.value }, after: { name: after.name, value } };
    await recordAction(tx, caller, 'setting.updated', `setting:${id}`, facts);
    // Gateways cache which administrators need a second factor: makes them verify the tokens again.
    if (after.name === 'require_admin_totp') await tokens.recheckAdmins(parts, tx);
    return after;
  });
  if (setting.name === 'rating_prior_reviews') parts.wakeJob('ratings');
  return settingViewOf(setting);
}

export async function seedSettings(tx: Tx): Promise<void> {
  for (const [name, { value, description }] of Object.entries(SETTINGS)) {
    const setting = await seedSetting(tx, name, value, description);
    if (setting) publish(tx, [{ name: 'setting.changed', data: setting }]);
  }
}
