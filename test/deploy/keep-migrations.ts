import { keepMigrations } from './released-migrations.ts';

/* Part of every release (`lerna version` runs it): writes down the checksums of the migrations that go out with it. */
await keepMigrations();
