/** `npm run bench -- <name> [options]`: runs bench/<name>.ts, which prints its figures. */
const [name, ...args] = process.argv.slice(2);
if (!name || !/^[a-z-]+$/.test(name)) {
  console.error(
    'usage: npm run bench -- input | gateway | identity | wallet | messaging | calls | rings | ring-under-load | consumers | resync | outbox | rows | files | rooms | call-jobs',
  );
  process.exit(1);
}
const bench = (await import(`./${name}.ts`)) as { run: (args: string[]) => Promise<void> };
await bench.run(args);
