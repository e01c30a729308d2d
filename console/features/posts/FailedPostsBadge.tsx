import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../api'
import { CountBadge } from '../../ui/feedback/CountBadge'
import { postCountsQuery } from './queries'

/** Shows how many posts failed in the last seven days. It sends no request: polling loads the number. */
export function FailedPostsBadge({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const count = useQuery({ ...postCountsQuery(workspace.slug), enabled: false }).data?.failed ?? 0
  return <CountBadge count={count} label={t('posts.failed_lately', { count })} isProblem />
}
