import { Badge } from '@mantine/core'

/** Larger numbers are shown as this one with a plus. */
const MAX_SHOWN = 99

/** A number beside a link, for what waits or went wrong behind it. `label` says what it counts. */
export function CountBadge({ count, label, isProblem = false }: { count: number; label: string; isProblem?: boolean }) {
  if (count === 0) return null
  return (
    <Badge
      color={isProblem ? 'coral' : 'iznik'}
      variant={isProblem ? 'filled' : 'light'}
      size="sm"
      flex="none"
      role="img"
      aria-label={label}
    >
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
    </Badge>
  )
}
