/** Seconds in a Retry-After header (RFC 9110: a number or a date), at most a day; 0 when there are none. */
export function retryAfterSeconds(header: unknown, now: Date) {
  if (typeof header !== 'string') return 0
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 86_400) : 0
}
