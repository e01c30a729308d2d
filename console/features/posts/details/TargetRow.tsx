import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post, Target } from '../../../api'
import { translateDynamic } from '../../../i18n'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { AccountAvatar } from '../../accounts/AccountAvatar'
import { accountsQuery } from '../../accounts/queries'
import { NetworkResponse } from '../../networks/NetworkResponse'
import { handleOn, useNetwork } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { usePostPermissions } from '../PostActions'
import { PostContent } from '../PostContent'
import { PostStatusBadge } from '../PostStatusBadge'
import classes from '../posts.module.css'
import { EditPublishedButton } from './EditPublishedButton'
import { Resolution } from './Resolution'

/** The post on one account: its state, and its link or the error with advice. */
export function TargetRow({ target, post }: { target: Target; post: Post }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const accounts = useQuery(accountsQuery(workspace.slug)).data
  const name = accounts?.find(({ id }) => id === target.account_id)?.name
  const network = useNetwork(target.network)
  const networkName = network?.name ?? target.network
  const { handle, status, url, content, published_at, published_parts } = target
  const may = usePostPermissions(post)
  const parts = (target.thread ?? post.thread).length + 1
  const hasOwn =
    content !== null || target.thread !== null || target.first_comment !== null || target.media_ids !== null
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
        {may.own && status === 'published' && network?.capabilities.edit && (
          <EditPublishedButton post={post} target={target} network={networkName} />
        )}
        <PostStatusBadge status={target.warning ? 'blocked' : status} />
      </Group>
      {published_parts > 0 && published_parts < parts && (
        <Text className={classes.reason} fz="sm">
          {t('post.parts', { number: format.number(published_parts), count: parts })}
        </Text>
      )}
      {hasOwn && (
        <div className={classes.reason}>
          <PostContent
            texts={{
              content: content ?? '',
              media_ids: target.media_ids ?? [],
              thread: target.thread ?? [],
              first_comment: target.first_comment,
            }}
          />
        </div>
      )}
      {status === 'unconfirmed' && !target.needs_resolution && (
        <Text className={classes.reason} fz="sm">
          {t('post.unconfirmed')}
        </Text>
      )}
      {target.needs_resolution && (
        <div className={classes.reason}>
          <Resolution post={post} target={target} network={networkName} mayResolve={may.own} />
        </div>
      )}
      {target.warning && (
        <div className={classes.reason}>
          <Text fz="sm">{t(`post.account_warning.${target.warning}`)}</Text>
          <AnchorLink to="/w/$workspace/accounts/health" params={{ workspace: workspace.slug }} fz="sm">
            {t('accounts.health.title')}
          </AnchorLink>
        </div>
      )}
      {status === 'failed' && <FailureNotice target={target} post={post} network={networkName} />}
    </div>
  )
}

/** The reason of a failure, and what the user can do about it. */
function FailureNotice({ target, post, network }: { target: Target; post: Post; network: string }) {
  const { t } = useTranslation()
  const params = { workspace: useWorkspace().slug }
  const { error_code, error_message, account_id } = target
  // A partially published post cannot be edited, only copied.
  const onlyCopy = post.status === 'partially_published' && error_code === 'rejected_by_network'
  const advice = onlyCopy
    ? t('advice.partly', { network })
    : error_code && translateDynamic(t, `advice.${error_code}`, t('advice.other'), { network })
  return (
    <div className={classes.reason}>
      {advice && <Text fz="sm">{advice}</Text>}
      {/* The other reasons are Meydan's own, which the advice says in the language of the user. */}
      {error_message && error_code === 'rejected_by_network' && (
        <NetworkResponse network={network} message={error_message} c="var(--mantine-color-error)" />
      )}
      {onlyCopy && (
        <AnchorLink to="/w/$workspace/posts/new" params={params} search={{ copy: post.id, only: account_id }} fz="sm">
          {t('post.duplicate_for')}
        </AnchorLink>
      )}
      {error_code === 'account_disconnected' && (
        <AnchorLink
          to="/w/$workspace/accounts"
          params={params}
          search={{ connect: target.network, account: account_id }}
          fz="sm"
        >
          {t('accounts.reconnect')}
        </AnchorLink>
      )}
    </div>
  )
}
