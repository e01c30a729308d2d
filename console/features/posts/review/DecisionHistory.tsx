import { Card, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { postReviewQuery } from './queries'

/** Lists the decisions on a post, and marks those about an earlier content. */
export function DecisionHistory({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const { decisions = [] } = useQuery(postReviewQuery(slug, post.id, post.updated_at)).data ?? {}
  if (decisions.length === 0) return null
  return (
    <Card component="section" aria-labelledby="decisions">
      <Title order={2} size="h4" c="dimmed" id="decisions" mb="xs">
        {t('review.decisions')}
      </Title>
      <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
        {decisions.map(({ id, decision, by, client_link, reason, step, is_current, token_id, decided_at }) => (
          <li key={id}>
            <Text>
              {t(`review.decided_${decision}`, {
                name: client_link ? t('review.client_of', { link: client_link.name }) : (by?.name ?? 'Meydan'),
                step,
              })}
              {reason && ` “${reason}”`}
            </Text>
            <Text fz="sm" c="dimmed">
              <time dateTime={decided_at}>{format.full(decided_at)}</time>
              {token_id && ` · ${t('review.by_token')}`}
              {!is_current && ` · ${t('review.former_content')}`}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  )
}
