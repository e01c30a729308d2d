import { useTranslation } from 'react-i18next'
import { CountBadge } from '../../ui/feedback/CountBadge'
import type { EntryBadge } from '../../ui/navigation/entry'

/** The number of a page at the end of its link. */
export function LinkBadge({ badge: { useCount, label, isProblem } }: { badge: EntryBadge }) {
  const { t } = useTranslation()
  const count = useCount()
  return <CountBadge count={count} label={t(label, { count })} isProblem={isProblem} />
}
