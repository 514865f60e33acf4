import { on } from '@tutoring/shared/events/subscribe';
import { lockLiveCalls } from '../call/call-store.ts';
import { endLiveCall } from '../call/transitions.ts';
import { savePlan, saveRoom, saveSetting, saveUser } from './copy-store.ts';

/** What this service keeps of others' nouns; a ban or a deletion ends the user's live call. */
export const subscriptions = [
  on('user.changed', async (tx, user) => {
    const saved = await saveUser(tx, user);
    if (saved.length === 0 || (user.status === 'active' && !user.deleted)) return;
    for (const call of await lockLiveCalls(tx, [user.id])) await endLiveCall(tx, call, 'ban');
  }),
  on('plan.changed', async (tx, plan) => void (await savePlan(tx, plan))),
  on('setting.changed', async (tx, setting) => void (await saveSetting(tx, setting))),
  on('room.changed', async (tx, room) => void (await saveRoom(tx, room.uuid))),
];
