/**
 * The canonical name of a zone of the IANA database that Temporal knows; undefined for anything else. An offset is none:
 * it knows no summer. What Intl knows is more, and of no use: slots are made by Temporal.
 */
export function canonicalZone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
}
