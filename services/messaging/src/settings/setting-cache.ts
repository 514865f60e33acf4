import type { Database } from '@tutoring/shared/database/open';
import { SETTINGS_FRESH_MS } from '../deadlines.ts';
import { listSettings } from './setting-store.ts';

/** The defaults until identity's first event about a setting. */
const DEFAULTS = { message_max_length: 5000, show_contact_details: 0, file_max_mb: 25 };

export type MessagingSettings = typeof DEFAULTS;

/** Returns a function that reads the settings; it caches them for up to a second. */
export function createSettings(database: Database): () => Promise<MessagingSettings> {
  let known: { settings: Promise<MessagingSettings>; until: number } | undefined;

  async function read(): Promise<MessagingSettings> {
    const stored = await listSettings(database.manager);
    const relevant = stored.filter(({ name }) => name in DEFAULTS).map(({ name, value }) => [name, value] as const);
    return { ...DEFAULTS, ...(Object.fromEntries(relevant) as Partial<MessagingSettings>) };
  }

  return () => {
    if (known && performance.now() < known.until) return known.settings;
    const reading = { settings: read(), until: performance.now() + SETTINGS_FRESH_MS };
    known = reading;
    reading.settings.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.settings;
  };
}
