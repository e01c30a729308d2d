import {
  Alert,
  Button,
  Card,
  Group,
  Progress,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core'
import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  CalendarPlus,
  Check,
  ChevronRight,
  CircleAlert,
  ClipboardCheck,
  ClockAlert,
  PartyPopper,
  ShoppingBag,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { accountsQuery, scheduledCountQuery } from '../accounts/queries'
import { useMe } from '../auth/queries'
import { orderCountsQuery } from '../marketplace/orders/order-queries'
import { useEasiestNetwork } from '../networks/queries'
import { UsageCard } from '../plans/usage/UsageCard'
import { PostRow } from '../posts/list/PostRow'
import { postCountsQuery } from '../posts/queries'
import { StoppedPosts } from '../posts/StoppedPosts'
import { FailingWebhookLink } from '../webhooks/health/FailingWebhookLink'
import { needsAttention, webhooksQuery } from '../webhooks/queries'
import classes from './OverviewPage.module.css'
import { postsAroundTodayQuery } from './overview-queries'
import { checklistQuery, isAtLeast, useWorkspace } from './queries'

const MAX_SHOWN = 5

export function OverviewPage() {
  const { t } = useTranslation()
  const me = useMe()
  const workspace = useWorkspace()
  useDocumentTitle(workspace.name)
  return (
    <>
      <PageHeader title={t('overview.hello', { name: me.name.split(' ')[0] })} about={t('overview.about')} />
      <Stack gap="lg">
        <HeldPosts />
        <StoppedPosts />
        <AttentionList />
        <WaitingList />
        <Checklist />
        <UpcomingPosts />
        <UsageCard />
      </Stack>
    </>
  )
}

const steps = [
  { key: 'connected', to: '/w/$workspace/accounts' },
  { key: 'written', to: '/w/$workspace/posts/new' },
  { key: 'published', to: '/w/$workspace/posts' },
  { key: 'webhook', to: '/w/$workspace/webhooks' },
] as const

/** The first steps, each ticked automatically when done. */
function Checklist() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const easiestNetwork = useEasiestNetwork()
  const checklist = useQuery(checklistQuery(workspace.slug))
  const dismiss = useMutation({
    mutationFn: () => unwrap(workspaceApi(workspace.slug).POST('/api/v1/workspace/checklist/dismiss')),
    onSuccess: (data) => queryClient.setQueryData(checklistQuery(workspace.slug).queryKey, data),
    onError: useErrorNotification(),
  })
  if (checklist.error) return <ProblemAlert error={checklist.error} onRetry={() => checklist.refetch()} />
  if (!checklist.data) return <Skeleton height={232} radius="lg" />
  if (checklist.data.dismissed || !isAtLeast(workspace, 'author')) return null
  const done = steps.filter(({ key }) => checklist.data[key]).length
  const next = steps.find(({ key }) => !checklist.data[key])
  const progress = t('checklist.progress', { done, all: steps.length })
  // A newcomer to a workspace where everything is done needs no list.
  if (!next) return null
  return (
    <Card component="section" aria-labelledby="checklist">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <div>
          <Title order={2} size="h3" id="checklist">
            {t('checklist.title')}
          </Title>
          <Text c="dimmed">{progress}</Text>
        </div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate()}
        >
          {t('checklist.dismiss')}
        </Button>
      </Group>
      <Progress value={(done / steps.length) * 100} aria-label={t('checklist.title')} mb="md" size="sm" />
      <ol className={classes.steps}>
        {steps.map(({ key, to }, index) => {
          const ticked = checklist.data[key]
          return (
            <li key={key} className={classes.step} data-done={ticked || undefined}>
              <ThemeIcon
                size={28}
                radius="xl"
                variant={ticked ? 'filled' : 'default'}
                role="img"
                aria-label={ticked ? t('checklist.ticked') : t('checklist.open')}
              >
                {ticked ? <Check size={16} /> : <Text fz="sm">{index + 1}</Text>}
              </ThemeIcon>
              <div>
                <Text fw={600}>{t(`checklist.${key}`)}</Text>
                <Text c="dimmed" fz="sm">
                  {t(`checklist.${key}_about`, { network: easiestNetwork })}
                </Text>
              </div>
              {!ticked && (
                <ButtonLink
                  to={to}
                  params={{ workspace: workspace.slug }}
                  size="compact-md"
                  variant={key === next.key ? 'filled' : 'default'}
                >
                  {t(`checklist.${key}_go`)}
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

/** The number of posts that were late, with a link to decide about them. */
function HeldPosts() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const counts = useQuery({ ...postCountsQuery(workspace.slug), enabled: isAtLeast(workspace, 'editor') }).data
  const late = counts ? counts.held - counts.stopped : 0
  if (late <= 0) return null
  return (
    <Alert component="section" color="orange" icon={<ClockAlert size={20} />} title={t('held.count', { count: late })}>
      <Text>{t('held.about_all')}</Text>
      <ButtonLink to="/w/$workspace/posts" params={{ workspace: workspace.slug }} search={{ held: 'late' }} mt="sm">
        {t('held.decide')}
      </ButtonLink>
    </Alert>
  )
}

/** Problems that need action. */
function AttentionList() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const accounts = useQuery(accountsQuery(workspace.slug))
  const posts = useQuery(postsAroundTodayQuery(workspace)).data ?? []
  const lost = (accounts.data ?? []).filter(({ status }) => status === 'disconnected')
  const waiting = useQueries({ queries: lost.map(({ id }) => scheduledCountQuery(workspace.slug, id)) })
  const webhooks = (useQuery(webhooksQuery(workspace.slug)).data ?? []).filter(needsAttention)
  const failed = posts.filter(({ status }) => status === 'failed' || status === 'partially_published')
  if (accounts.error && !accounts.data)
    return <ProblemAlert error={accounts.error} onRetry={() => accounts.refetch()} />
  if (lost.length + webhooks.length + failed.length === 0) return null
  return (
    <Card component="section" aria-labelledby="attention">
      <Group gap="xs" mb="sm">
        <CircleAlert size={20} color="var(--mantine-color-error)" aria-hidden="true" />
        <Title order={2} size="h3" id="attention">
          {t('overview.attention')}
        </Title>
      </Group>
      <Stack gap="xs">
        {lost.map(({ id, name }, index) => (
          <Text key={id}>
            <AnchorLink to="/w/$workspace/accounts" params={{ workspace: workspace.slug }}>
              {t('overview.account_lost', { name })}
            </AnchorLink>{' '}
            {waiting[index]?.data?.count ? t('accounts.waiting', waiting[index].data) : null}
          </Text>
        ))}
        {webhooks.slice(0, MAX_SHOWN).map((webhook) => (
          <FailingWebhookLink key={webhook.id} webhook={webhook} />
        ))}
        {failed.slice(0, MAX_SHOWN).map((post) => (
          <PostRow key={post.id} post={post} />
        ))}
      </Stack>
    </Card>
  )
}

/** Links to what others wait for: posts in review, and orders. */
function WaitingList() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const params = { workspace: workspace.slug }
  const posts = useQuery({ ...postCountsQuery(workspace.slug), enabled: isAtLeast(workspace, 'editor') }).data
  const orders = useQuery({ ...orderCountsQuery(workspace.slug), enabled: isAtLeast(workspace, 'admin') }).data
  const inReview = posts?.in_review ?? 0
  const sides = (['seller', 'buyer'] as const).filter((role) => orders && orders[role].waiting > 0)
  if (inReview === 0 && sides.length === 0) return null
  return (
    <Card component="section" aria-labelledby="waiting">
      <Title order={2} size="h3" id="waiting" mb="xs">
        {t('overview.waiting')}
      </Title>
      <ul className={classes.waiting}>
        {inReview > 0 && (
          <li>
            <Link to="/w/$workspace/review" params={params}>
              <ClipboardCheck size={18} aria-hidden="true" />
              {t('review.waiting', { count: inReview })}
              <ChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        )}
        {sides.map((role) => (
          <li key={role}>
            <Link to="/w/$workspace/marketplace/orders" params={params} search={{ role }}>
              <ShoppingBag size={18} aria-hidden="true" />
              {t(`overview.orders_${role}`, { count: orders?.[role].waiting ?? 0 })}
              <ChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The posts of the next seven days and of the last seven. */
function UpcomingPosts() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const posts = useQuery(postsAroundTodayQuery(workspace))
  const next = (posts.data ?? [])
    .filter(({ status, held }) => status === 'scheduled' && !held)
    .sort((a, b) => String(a.scheduled_at).localeCompare(String(b.scheduled_at)))
  const sent = (posts.data ?? [])
    .filter(({ status }) => status === 'published' || status === 'publishing')
    .sort((a, b) => String(b.scheduled_at).localeCompare(String(a.scheduled_at)))
  if (posts.error) return <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Card component="section" aria-labelledby="coming">
        <Title order={2} size="h3" id="coming" mb="sm">
          {t('overview.coming')}
        </Title>
        {posts.isPending && <Skeleton height={120} radius="md" />}
        {posts.data && next.length === 0 && (
          <EmptyState icon={<CalendarPlus size={26} />} title={t('overview.nothing_coming')}>
            {t('overview.nothing_coming_detail')}
          </EmptyState>
        )}
        <Stack gap={2}>
          {next.slice(0, MAX_SHOWN).map((post) => (
            <PostRow key={post.id} post={post} />
          ))}
        </Stack>
        {next.length > MAX_SHOWN && (
          <AnchorLink to="/w/$workspace/calendar" params={{ workspace: workspace.slug }} mt="sm" display="inline-block">
            {t('overview.all_coming')}
          </AnchorLink>
        )}
      </Card>
      <Card component="section" aria-labelledby="sent">
        <Title order={2} size="h3" id="sent" mb="sm">
          {t('overview.sent')}
        </Title>
        {posts.isPending && <Skeleton height={120} radius="md" />}
        {posts.data && sent.length === 0 && (
          <EmptyState icon={<PartyPopper size={26} />} title={t('overview.nothing_sent')}>
            {t('overview.nothing_sent_detail')}
          </EmptyState>
        )}
        <Stack gap={2}>
          {sent.slice(0, MAX_SHOWN).map((post) => (
            <PostRow key={post.id} post={post} />
          ))}
        </Stack>
      </Card>
    </SimpleGrid>
  )
}
