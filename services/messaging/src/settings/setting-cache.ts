import type { Database } from '@tutoring/shared/database/open';
import { createFresh } from '@tutoring/shared/fresh';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { SETTINGS_FRESH_MS } from '../deadlines.ts';

const NAMES = ['message_max_length', 'show_contact_details', 'file_max_mb'] as const;

export type MessagingSettings = Record<(typeof NAMES)[number], number>;

export type Settings = () => Promise<MessagingSettings>;

/** Returns a function that reads the settings; it caches them for up to a second. */
export const createSettings = (database: Database): Settings =>
  createFresh(() => readSettings(database.manager, NAMES), SETTINGS_FRESH_MS);
