/** The month of a time, as its first day in UTC. */
export const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

/** The start of the month and of the next one. */
export function boundsOf(month: string) {
  const start = new Date(`${month}T00:00:00Z`)
  return { start, end: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)) }
}
