/** A time of day on the clocks of an IANA time zone. */
type BackupSchedule = { hour: number; minute: number; timezone: string }

function isZone(timeZone: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** Reads a schedule such as `03:30 Europe/Istanbul`. Undefined if the text is no schedule. */
export function parseBackupSchedule(text: string): BackupSchedule | undefined {
  const [, hour, minute, timezone = ''] = /^([01]\d|2[0-3]):([0-5]\d) ([A-Za-z_]+(?:[/+-]\w+)*)$/.exec(text) ?? []
  return isZone(timezone) && timezone ? { hour: Number(hour), minute: Number(minute), timezone } : undefined
}
