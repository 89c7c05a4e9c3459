/**
 * Returns a time zone's canonical name in the time zone database, or null: PostgreSQL rejects others with a fault
 * (`AET` and the like are old names that it never had), and reads offsets with the opposite sign.
 */
export function zoneNamed(zone: string): string | null {
  if (!/^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*$/.test(zone)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
