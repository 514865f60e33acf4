import { recordMigrations } from './released-migrations.ts';

/* Part of every release (`lerna version` runs it): records the checksums of the released migrations. */
await recordMigrations();
