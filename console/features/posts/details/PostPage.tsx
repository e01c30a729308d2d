import { Alert, Badge, Box, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import { isStatus, type Post } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { PostMetricsCard } from '../../metrics/PostMetricsCard'
import { useWorkspace } from '../../workspaces/queries'
import { CommentsCard } from '../comments/CommentsCard'
import { PostContent } from '../PostContent'
import { shownStatus } from '../PostStatusBadge'
import { postQuery } from '../queries'
import { OccurrenceNote } from '../recurring/OccurrenceNote'
import { DecisionHistory } from '../review/DecisionHistory'
import { ReviewAlert } from '../review/ReviewAlert'
import { useWarningTexts } from '../text-problems'
import { VersionsCard } from '../versions/VersionsCard'
import { HeldAlert } from './HeldAlert'
import { PostHeader } from './PostHeader'
import { TargetRow } from './TargetRow'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/$post')

export function PostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('post.title'))
  const workspace = useWorkspace()
  const { post: id } = route.useParams()
  const post = useQuery(postQuery(workspace.slug, id))
  if (isStatus(post.error, 404) || isStatus(post.error, 400)) return <NotFoundPage />
  if (post.error && !post.data) return <ProblemAlert error={post.error} onRetry={() => post.refetch()} />
  if (!post.data) return <LoadingSkeleton lines={3} height={120} />
  return <PostDetails post={post.data} />
}

function PostDetails({ post }: { post: Post }) {
  const { t } = useTranslation()
  useDocumentTitle(withMentionNames(post.content).trim().slice(0, 50) || t('post.title'))
  return (
    <Box maw={820}>
      <PostHeader post={post} />
      <Stack gap="lg">
        <ReviewAlert post={post} />
        <HeldAlert post={post} />
        <TargetAlerts post={post} />
        <WarningsAlert post={post} />
        <OccurrenceNote post={post} />
        <TextCard post={post} />
        <TargetsCard post={post} />
        <DecisionHistory post={post} />
        <CommentsCard post={post} />
        <VersionsCard key={post.id} post={post} />
        {post.published_at && <PostMetricsCard post={post} />}
      </Stack>
    </Box>
  )
}

/** Reports that the post failed for some accounts, or will fail. */
function TargetAlerts({ post }: { post: Post }) {
  const { t } = useTranslation()
  const isStarting = shownStatus(post) !== post.status
  const failed = post.targets.filter(({ status }) => status === 'failed')
  const blocked = isStarting ? [] : post.targets.filter(({ warning }) => warning)
  return (
    <>
      {failed.length > 0 && (
        <Alert color="coral" icon={<TriangleAlert size={20} />} title={t('post.failed', { count: failed.length })}>
          {t('post.failed_detail')}
        </Alert>
      )}
      {blocked.length > 0 && (
        <Alert color="orange" icon={<TriangleAlert size={20} />} title={t('post.blocked', { count: blocked.length })}>
          {t('post.blocked_detail')}
        </Alert>
      )}
    </>
  )
}

function WarningsAlert({ post }: { post: Post }) {
  const { t } = useTranslation()
  const textOf = useWarningTexts(post)
  if (post.warnings.length === 0 || post.status !== 'draft') return null
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('post.warnings')}>
      <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
        {[...new Set(post.warnings.map(textOf))].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Alert>
  )
}

function TextCard({ post }: { post: Post }) {
  const { t } = useTranslation()
  return (
    <Card component="section" aria-labelledby="text">
      <Title order={2} size="h4" c="dimmed" id="text" mb="xs">
        {t('post.text')}
      </Title>
      <PostContent texts={post} isMain />
      {post.labels.length > 0 && (
        <Group gap="xs" mt="md" aria-label={t('post.labels')}>
          {post.labels.map((label) => (
            <Badge key={label} variant="default" tt="none" fw={500}>
              {label}
            </Badge>
          ))}
        </Group>
      )}
    </Card>
  )
}

function TargetsCard({ post }: { post: Post }) {
  const { t } = useTranslation()
  return (
    <Card component="section" aria-labelledby="targets">
      <Title order={2} size="h4" c="dimmed" id="targets" mb={4}>
        {t(post.status === 'published' ? 'post.published_to' : 'post.where')}
      </Title>
      {post.targets.length === 0 && <Text c="dimmed">{t('post.no_accounts')}</Text>}
      <div aria-live="polite">
        {post.targets.map((target) => (
          <TargetRow key={target.id} target={target} post={post} />
        ))}
      </div>
    </Card>
  )
}
