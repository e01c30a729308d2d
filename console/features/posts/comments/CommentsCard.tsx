import { Card, Stack, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Eye, Lock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../workspaces/queries'
import { postReviewQuery } from '../review/queries'
import { DiscussionList } from './DiscussionList'
import { type Audience, commentsQuery, discussionsOf } from './queries'

/** Whether clients of links read the post, or have read it. */
function useHasClient({ id, updated_at }: Post) {
  const { slug } = useWorkspace()
  const review = useQuery(postReviewQuery(slug, id, updated_at)).data
  return (
    review !== undefined &&
    (review.client_links > 0 ||
      review.open.some(({ kind }) => kind === 'client') ||
      review.decisions.some(({ client_link }) => client_link !== null))
  )
}

/** Shows the comments on a post: those of the team, and in a tab of their own those that the client reads. */
export function CommentsCard({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { data, error, isPending, refetch } = useQuery(commentsQuery(slug, post.id))
  const isShownToClient = useHasClient(post)
  const [chosen, setAudience] = useState<Audience>()
  const all = discussionsOf(data ?? [])
  const by = (audience: Audience) => all.filter(({ first }) => first.audience === audience)
  const hasTabs = isShownToClient || by('client').length > 0
  // Where nobody chose, the tab that has something to read.
  const audience = chosen ?? (by('team').length === 0 && by('client').length > 0 ? 'client' : 'team')
  const listOf = (audience: Audience) =>
    data && <DiscussionList key={audience} post_id={post.id} audience={audience} all={by(audience)} />
  const countOf = (audience: Audience) => by(audience).filter(({ first }) => first.resolved_at === null).length
  return (
    <Card component="section" aria-labelledby="comments">
      <Stack>
        <div>
          <Title order={2} size="h4" c="dimmed" id="comments" tabIndex={-1}>
            {t('comments.title')}
          </Title>
          {!hasTabs && (
            <Text c="dimmed" fz="sm">
              {t('comments.about_team')}
            </Text>
          )}
        </div>
        {error && <ProblemAlert error={error} onRetry={() => refetch()} />}
        {isPending && <LoadingSkeleton lines={2} height={48} />}
        {hasTabs ? (
          <Tabs
            value={audience}
            onChange={(value) => setAudience(value === 'client' ? 'client' : 'team')}
            color={audience === 'client' ? 'orange' : undefined}
            keepMounted={false}
          >
            <Tabs.List mb="md" aria-label={t('comments.audience')}>
              <Tabs.Tab value="team" leftSection={<Lock size={16} />}>
                {t('comments.tab_team', { count: countOf('team') })}
              </Tabs.Tab>
              <Tabs.Tab value="client" leftSection={<Eye size={16} />}>
                {t('comments.tab_client', { count: countOf('client') })}
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="team">{listOf('team')}</Tabs.Panel>
            <Tabs.Panel value="client">{listOf('client')}</Tabs.Panel>
          </Tabs>
        ) : (
          listOf('team')
        )}
      </Stack>
    </Card>
  )
}
