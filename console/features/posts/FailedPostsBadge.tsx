import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../api'
import { postCountsQuery } from './queries'

/** Shows how many posts failed in the last seven days. It sends no request: polling loads the number. */
export function FailedPostsBadge({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const failed = useQuery({ ...postCountsQuery(workspace.slug), enabled: false }).data?.failed ?? 0
  if (failed === 0) return null
  return (
    <Badge color="coral" variant="filled" size="sm" role="img" aria-label={t('posts.failed_lately', { count: failed })}>
      {failed > 99 ? '99+' : failed}
    </Badge>
  )
}
