import type { InternalClient } from '@tutoring/shared/contract/client';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import type { Files } from '@tutoring/shared/kit/files/files';
import type { TaskQueue } from '@tutoring/shared/kit/task-queue';
import type { IdentityConfig } from './config.ts';
import type { Proof } from './social/proof.ts';

/** Dependencies of the features of this service. */
export interface Parts extends ServiceDeps<IdentityConfig> {
  country: string;
  publicUrl: string;
  wallet: InternalClient<'wallet'>;
  calls: InternalClient<'calls'>;
  messaging: InternalClient<'messaging'>;
  files: Files;
  /** SQL intervals after which unused tokens expire. */
  idle: Record<'user' | 'admin', string>;
  /** Tokens whose use is not yet stored, and the write in progress. */
  tokenUses: { used: Set<number>; writing: Promise<unknown> };
  /** The fair queues of attempts to log in and of hashes, and a hash that stands in for that of an unknown account. */
  attemptQueue: TaskQueue;
  hashQueue: TaskQueue;
  dummyHash: string;
  exportQueue: TaskQueue;
  /** The identity that a token of a social login proves; undefined for an invalid token. */
  prove: (method: string, token: string, nonce?: string) => Promise<Proof | undefined>;
  /** The current balance from wallet; concurrent reads share a request. */
  readBalance: (userId: number) => Promise<CommandAnswer<'balance.read-batch'>[number]>;
}
