import { PROVIDERS } from '../src/providers/registry.ts';
import { operator } from './operator.ts';

/* A replica of the wallet with the operator of the tests. */

PROVIDERS.push(operator);
await import('../src/main.ts');
