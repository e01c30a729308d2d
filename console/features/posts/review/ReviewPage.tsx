import { Box, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Check, CheckCheck, ClipboardCheck, Link, PenLine, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import type { Post } from '../../../api'
import { loadCode } from '../../../load-code'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
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
import { membersQuery } from '../../workspaces/members/member-queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { PostContent } from '../PostContent'
import { reviewQuery } from '../queries'
import { useApproveAll, useDecision } from './decide'
import { OpenSteps } from './OpenSteps'
import { type ReviewState, reviewStatesQuery } from './queries'
import { RejectDialog } from './RejectDialog'

const ClientLinksDialog = lazy(async () => ({
  default: (await loadCode(import('../sharing/ClientLinksDialog'))).ClientLinksDialog,
}))

/** The posts that wait for review. The keys decide on the first one. */
export function ReviewPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.review'))
  const workspace = useWorkspace()
  const { slug } = workspace
  const canShare = isAtLeast(workspace, 'editor')
  const [wasSharing, setWasSharing] = useState(false)
  const [isSharing, links] = useDisclosure(false, { onOpen: () => setWasSharing(true) })
  const posts = useQuery(reviewQuery(slug))
  const { data: states, isPending: areStatesPending } = useQuery(reviewStatesQuery(slug))
  const isMine = ({ id }: Post) => states?.get(id)?.waits_for_you ?? false
  /** Posts that wait for this user come first. */
  const inOrder = posts.data?.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a))) ?? []
  // Without the states, posts would appear in another order, and grow.
  const isPending = posts.isPending || areStatesPending
  const shown = isPending ? [] : inOrder
  const mine = shown.filter(isMine)
  const [isApprovingAll, all] = useDisclosure(false)
  const approveAll = useApproveAll(mine)
  return (
    <Box maw={820}>
      <PageHeader title={t('pages.review')} about={t('review.about')}>
        {canShare && (
          <Button variant="default" leftSection={<Link size={17} />} onClick={links.open}>
            {t('client_links.title')}
          </Button>
        )}
        {mine.length > 1 && (
          <Button variant="default" leftSection={<CheckCheck size={17} />} onClick={all.open}>
            {t('review.approve_all', { count: mine.length })}
          </Button>
        )}
      </PageHeader>
      {canShare && wasSharing && (
        <Suspense fallback={null}>
          <ClientLinksDialog opened={isSharing} onClose={links.close} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={isApprovingAll}
        onClose={all.close}
        title={t('review.approve_all_ask', { count: mine.length })}
        confirm={t('review.approve')}
        mutation={approveAll}
        onConfirm={() => approveAll.mutate(undefined, { onSuccess: all.close })}
      >
        {t('review.approve_all_about')}
      </ConfirmDialog>
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {isPending && !posts.error && <LoadingSkeleton lines={3} height={160} />}
      {posts.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<ClipboardCheck size={26} />} title={t('review.none')}>
            {t('review.none_detail')}
          </EmptyState>
        </Card>
      )}
      <Stack gap="md">
        {shown.map((post, index) => (
          <PostInReview key={post.id} post={post} state={states?.get(post.id)} hasKeys={index === 0 && isMine(post)} />
        ))}
      </Stack>
    </Box>
  )
}

type Props = { post: Post; state: ReviewState | undefined; hasKeys: boolean }

function PostInReview({ post, state, hasKeys }: Props) {
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
  const author = useQuery(membersQuery(slug)).data?.find(({ id }) => id === post.author_id)
  return (
    <Card component="article" ref={at} aria-label={withMentionNames(post.content).slice(0, 60) || t('posts.empty')}>
      <Text c="dimmed" fz="sm" mb="xs">
        {author && `${author.name} · `}
        {post.targets.map(({ network, handle }) => `${handle} (${nameOf(network)})`).join(', ') ||
          t('post.no_accounts')}
        {' · '}
        {planned ? <time dateTime={planned}>{format.full(planned)}</time> : t('posts.no_time')}
      </Text>
      <PostContent texts={post} isMain />
      {state && <OpenSteps state={state} />}
      {approve.error && <ProblemAlert error={approve.error} />}
      <Group mt="md" gap="sm">
        {state?.waits_for_you && (
          <Button leftSection={<Check size={17} />} loading={approve.isPending} onClick={act}>
            {t('review.approve')}
            {hasKeys && <Keys keys="A" />}
          </Button>
        )}
        <ButtonLink
          to="/w/$workspace/posts/$post/edit"
          params={{ workspace: slug, post: post.id }}
          variant="default"
          leftSection={<PenLine size={17} />}
        >
          {t('posts.edit')}
        </ButtonLink>
        {state?.waits_for_you && (
          <Button variant="default" leftSection={<X size={17} />} onClick={() => setRejecting(true)}>
            {t('review.reject')}
            {hasKeys && <Keys keys="R" />}
          </Button>
        )}
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
