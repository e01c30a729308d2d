import { Alert, Anchor, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Copy, ExternalLink, PenLine, RotateCw, Send, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isStatus, type Post, type Target } from '../../api'
import { translateDynamic } from '../../i18n'
import { NotFoundPage } from '../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { AccountAvatar } from '../accounts/AccountAvatar'
import { accountsQuery } from '../accounts/queries'
import { handleOn, useNetwork } from '../networks/queries'
import { useWorkspace } from '../workspaces/queries'
import { PostMenu, usePostActions, usePostPermissions } from './PostActions'
import { PostStatusBadge, shownStatus } from './PostStatusBadge'
import classes from './posts.module.css'
import { postQuery } from './queries'
import { useWarningTexts } from './text-problems'

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
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const format = useFormat(workspace.timezone)
  const may = usePostPermissions(post)
  const { publish, retry } = usePostActions(post)
  const status = shownStatus(post)
  const isStarting = status !== post.status
  const failed = post.targets.filter(({ status }) => status === 'failed')
  const rejected = failed.filter(({ error_code }) => error_code === 'rejected_by_network')
  /** The accounts for which only a copy can still be published. */
  const onlyCopy = post.status === 'partially_published' ? rejected.map(({ account_id }) => account_id) : []
  const retryFirst = failed.length > rejected.length
  const textOf = useWarningTexts(post)
  useDocumentTitle(post.content.trim().slice(0, 50) || t('post.title'))
  return (
    <>
      <AnchorLink to="/w/$workspace/posts" params={{ workspace: workspace.slug }} fz="sm" mb={6} display="inline-block">
        ‹ {t('post.back')}
      </AnchorLink>
      <PageHeader
        title={t('post.title')}
        about={
          <Group gap="sm" component="span">
            <PostStatusBadge status={status} />
            {post.published_at ? (
              <time dateTime={post.published_at}>
                {t('post.published_at', { time: format.full(post.published_at) })}
              </time>
            ) : (
              post.scheduled_at && (
                <time dateTime={post.scheduled_at}>
                  {t('post.scheduled_at', { time: format.full(post.scheduled_at), zone: workspace.timezone })}
                </time>
              )
            )}
          </Group>
        }
      >
        {may.copy && onlyCopy.length > 0 && (
          <ButtonLink
            to="/w/$workspace/posts/new"
            params={{ workspace: workspace.slug }}
            search={{ copy: post.id, only: onlyCopy.join(' ') }}
            variant={retryFirst ? 'default' : 'filled'}
            leftSection={<Copy size={17} />}
          >
            {t('post.copy_as_new')}
          </ButtonLink>
        )}
        {may.retry && (
          <Button
            variant={retryFirst ? 'filled' : 'default'}
            leftSection={<RotateCw size={17} />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t('posts.retry')}
          </Button>
        )}
        {may.publish && !isStarting && (
          <Button
            variant="default"
            leftSection={<Send size={17} />}
            loading={publish.isPending}
            onClick={() => publish.mutate()}
          >
            {t('posts.publish_now')}
          </Button>
        )}
        {may.edit && !isStarting && (
          <ButtonLink
            to="/w/$workspace/posts/$post/edit"
            params={{ workspace: workspace.slug, post: post.id }}
            variant={may.retry && retryFirst ? 'default' : 'filled'}
            leftSection={<PenLine size={17} />}
          >
            {t('posts.edit')}
          </ButtonLink>
        )}
        <PostMenu
          post={post}
          onRemoved={() => void navigate({ to: '/w/$workspace/posts', params: { workspace: workspace.slug } })}
        />
      </PageHeader>
      <Stack gap="lg" maw={820}>
        {failed.length > 0 && (
          <Alert color="coral" icon={<TriangleAlert size={20} />} title={t('post.failed', { count: failed.length })}>
            {t('post.failed_detail')}
          </Alert>
        )}
        {post.warnings.length > 0 && post.status === 'draft' && (
          <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('post.warnings')}>
            <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
              {post.warnings.map((warning) => (
                <li key={warning.pointer}>{textOf(warning)}</li>
              ))}
            </ul>
          </Alert>
        )}
        <Card component="section" aria-labelledby="text">
          <Title order={2} size="h4" c="dimmed" id="text" mb="xs">
            {t('post.text')}
          </Title>
          <Text className="text" dir="auto" fz="lg" c={post.content ? undefined : 'dimmed'}>
            {post.content || t('posts.empty')}
          </Text>
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
        <Card component="section" aria-labelledby="targets">
          <Title order={2} size="h4" c="dimmed" id="targets" mb={4}>
            {t(post.status === 'published' ? 'post.published_to' : 'post.where')}
          </Title>
          {post.targets.length === 0 && <Text c="dimmed">{t('post.no_accounts')}</Text>}
          <div aria-live="polite">
            {post.targets.map((target) => (
              <TargetRow
                key={target.id}
                target={target}
                post_id={post.id}
                partly={post.status === 'partially_published'}
              />
            ))}
          </div>
        </Card>
      </Stack>
    </>
  )
}

/** The post on one account: its state, and its link or the error with advice. */
function TargetRow({ target, post_id, partly }: { target: Target; post_id: string; partly: boolean }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const accounts = useQuery(accountsQuery(workspace.slug)).data
  const name = accounts?.find(({ id }) => id === target.account_id)?.name
  const network = useNetwork(target.network)
  const networkName = network?.name ?? target.network
  const { handle, status, url, content, error_code, error_message, published_at } = target
  // A partially published post cannot be edited, only copied.
  const onlyCopy = partly && error_code === 'rejected_by_network'
  const advice = onlyCopy
    ? t('advice.partly', { network: networkName })
    : error_code && translateDynamic(t, `advice.${error_code}`, t('advice.other'), { network: networkName })
  return (
    <div className={classes.target}>
      <AccountAvatar id={target.account_id} name={name ?? networkName} network={target.network} size={34} />
      <div style={{ minWidth: 0 }}>
        <Text truncate>
          <Text span fw={600} dir="auto">
            {name ?? networkName}
          </Text>{' '}
          <Text span c="dimmed">
            {handleOn(network, handle)}
          </Text>
        </Text>
        <Text c="dimmed" fz="sm">
          {published_at ? format.full(published_at) : networkName}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        {url && status === 'published' && (
          <Anchor
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={t('post.see_on', {
              network: networkName,
            })}
          >
            <ExternalLink size={18} aria-hidden="true" />
          </Anchor>
        )}
        <PostStatusBadge status={status} />
      </Group>
      {content !== null && (
        <Text className={`text ${classes.reason}`} dir="auto" fz="sm" c="dimmed">
          {content}
        </Text>
      )}
      {status === 'unconfirmed' && (
        <Text className={classes.reason} fz="sm">
          {t('post.unconfirmed')}
        </Text>
      )}
      {status === 'failed' && (
        <div className={classes.reason}>
          {advice && <Text fz="sm">{advice}</Text>}
          {/* The other reasons are Meydan's own, which the advice says in the language of the user. */}
          {error_message && error_code === 'rejected_by_network' && (
            <Text className="text" fz="sm" c="var(--mantine-color-error)" dir="auto">
              {t('post.network_response', { network: networkName, message: error_message })}
            </Text>
          )}
          {onlyCopy && (
            <AnchorLink
              to="/w/$workspace/posts/new"
              params={{ workspace: workspace.slug }}
              search={{ copy: post_id, only: target.account_id }}
              fz="sm"
            >
              {t('post.duplicate_for')}
            </AnchorLink>
          )}
          {error_code === 'account_disconnected' && (
            <AnchorLink
              to="/w/$workspace/accounts"
              params={{ workspace: workspace.slug }}
              search={{ connect: target.network, account: target.account_id }}
              fz="sm"
            >
              {t('accounts.reconnect')}
            </AnchorLink>
          )}
        </div>
      )}
    </div>
  )
}
