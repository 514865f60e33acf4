import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';

/** Starts PostgreSQL and NATS in containers, for machines on which the embedded binaries do not run. */
export async function startContainers(
  stops: (() => Promise<void>)[],
): Promise<{ databaseUrl: string; natsUrl: string }> {
  const [postgres, nats] = await Promise.all([
    new GenericContainer('postgres:18')
      .withEnvironment({ POSTGRES_PASSWORD: 'postgres' })
      .withExposedPorts(5432)
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=400'])
      .withWaitStrategy(Wait.forListeningPorts())
      .start(),
    new GenericContainer('nats:2')
      .withCommand(['-js'])
      .withExposedPorts(4222)
      .withWaitStrategy(Wait.forListeningPorts())
      .start(),
  ]);
  stops.push(...[postgres, nats].map((container: StartedTestContainer) => async () => void (await container.stop())));
  return {
    databaseUrl: `postgres://postgres:postgres@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
    natsUrl: `nats://${nats.getHost()}:${nats.getMappedPort(4222)}`,
  };
}
