/** The services: each owns a database and publishes events. */
export const SERVICES = ['identity', 'wallet', 'messaging', 'calls'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The processes of the system. Each has its own signing key. */
export const PROCESSES = ['gateway', ...SERVICES] as const;
export type ProcessName = (typeof PROCESSES)[number];
