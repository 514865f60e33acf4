import { readFile } from 'node:fs/promises';

/**
 * The lines of a JSON Lines file to which another process may be writing; none while the file does not exist. The last
 * line counts when its line feed is there: before that it may be incomplete.
 */
export async function jsonLines<Line>(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
