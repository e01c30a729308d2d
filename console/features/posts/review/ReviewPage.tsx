import { Box, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Check, ClipboardCheck, PenLine, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { ShortcutKeys, useShortcut } from '../../../ui/focus/shortcuts'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { useNetworkNames } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { PostContent } from '../details/PostContent'
import { reviewQuery } from '../queries'
import { useDecision } from './decide'
import { RejectDialog } from './RejectDialog'

/** The posts that wait for review. The keys decide on the first one. */
export function ReviewPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.review'))
  const { slug } = useWorkspace()
  const posts = useQuery(reviewQuery(slug))
  return (
    <Box maw={820}>
      <PageHeader title={t('pages.review')} about={t('review.about')} />
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {posts.isPending && <LoadingSkeleton lines={3} height={160} />}
      {posts.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<ClipboardCheck size={26} />} title={t('review.none')}>
            {t('review.none_detail')}
          </EmptyState>
        </Card>
      )}
      <Stack gap="md">
        {posts.data?.map((post, index) => (
          <PostInReview key={post.id} post={post} hasKeys={index === 0} />
        ))}
      </Stack>
    </Box>
  )
}

function PostInReview({ post, hasKeys }: { post: Post; hasKeys: boolean }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const nameOf = useNetworkNames()
  const { gone, at } = useFocusAfterRemoval<HTMLDivElement>()
  const [isRejecting, setRejecting] = useState(false)
  const decided = () => {
    gone.current = true
  }
  const approve = useDecision(post, decided)
  const act = () => !approve.isPending && approve.mutate({ approve: true })
  useShortcut('A', t('review.approve_first'), hasKeys ? act : undefined)
  useShortcut('R', t('review.reject_first'), hasKeys ? () => setRejecting(true) : undefined)
  const planned = post.review_scheduled_at
  return (
    <Card component="article" ref={at} aria-label={post.content.slice(0, 60) || t('posts.empty')}>
      <Text c="dimmed" fz="sm" mb="xs">
        {[...new Set(post.targets.map(({ network }) => nameOf(network)))].join(', ') || t('post.no_accounts')}
        {' · '}
        {planned ? <time dateTime={planned}>{format.full(planned)}</time> : t('posts.no_time')}
      </Text>
      <PostContent texts={post} isMain />
      {approve.error && <ProblemAlert error={approve.error} />}
      <Group mt="md" gap="sm">
        <Button leftSection={<Check size={17} />} loading={approve.isPending} onClick={act}>
          {t('review.approve')}
          {hasKeys && <Keys keys="A" />}
        </Button>
        <ButtonLink
          to="/w/$workspace/posts/$post/edit"
          params={{ workspace: slug, post: post.id }}
          variant="default"
          leftSection={<PenLine size={17} />}
        >
          {t('posts.edit')}
        </ButtonLink>
        <Button variant="default" leftSection={<X size={17} />} onClick={() => setRejecting(true)}>
          {t('review.reject')}
          {hasKeys && <Keys keys="R" />}
        </Button>
      </Group>
      <RejectDialog post={post} opened={isRejecting} onClose={() => setRejecting(false)} onRejected={decided} />
    </Card>
  )
}

const Keys = ({ keys }: { keys: string }) => (
  <span aria-hidden>
    <ShortcutKeys keys={keys} ms={8} />
  </span>
)
