import type { Database } from '@tutoring/shared/database/open';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { SETTINGS_FRESH_MS } from '../deadlines.ts';

const NAMES = ['message_max_length', 'show_contact_details', 'file_max_mb'] as const;

export type MessagingSettings = Record<(typeof NAMES)[number], number>;

/** Returns a function that reads the settings; it caches them for up to a second. */
export function createSettings(database: Database): () => Promise<MessagingSettings> {
  let known: { settings: Promise<MessagingSettings>; until: number } | undefined;

  return () => {
    if (known && performance.now() < known.until) return known.settings;
    const reading = { settings: readSettings(database.manager, NAMES), until: performance.now() + SETTINGS_FRESH_MS };
    known = reading;
    reading.settings.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.settings;
  };
}
