import { recordMessages } from './released-messages.ts';
import { recordMigrations } from './released-migrations.ts';

/*
 * Part of every release (`lerna version` runs it): records the schemas of events and commands, with which the next
 * release must stay compatible, and the checksums of the released migrations.
 */
await recordMessages();
await recordMigrations();
