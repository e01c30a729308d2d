import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../../api'
import { CountBadge } from '../../../ui/feedback/CountBadge'
import { postCountsQuery } from '../queries'

/** Shows how many posts wait for review. It sends no request: polling loads the number. */
export function ReviewBadge({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const count = useQuery({ ...postCountsQuery(workspace.slug), enabled: false }).data?.in_review ?? 0
  return <CountBadge count={count} label={t('review.waiting', { count })} />
}
