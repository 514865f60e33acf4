/**
 * The canonical name of a time zone of the IANA database; undefined for other names. Offsets are not accepted, as they
 * have no summer time, nor zones that only Intl knows: slots are computed with Temporal.
 */
export function canonicalZone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
}
