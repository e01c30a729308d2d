import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ComparedText } from '../../../ui/text/ComparedText'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { PostStatusBadge } from '../../posts/PostStatusBadge'
import { useWorkspace } from '../../workspaces/queries'
import { useReasonText } from '../AgentStatus'
import classes from '../agents.module.css'
import { Findings } from '../Findings'
import { AskedParts } from '../preview/AskedParts'
import type { RunItem } from '../queries'

/** One post of a run: what was asked, what came back, what people changed, and how it ended. */
export function WrittenItem({ item }: { item: RunItem }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const reasonText = useReasonText()
  const { status, reason, topic, content, findings, post_id, post, asked, source_ids } = item
  return (
    <div className={classes.item}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600}>{topic ?? t('agents.writing')}</Text>
        <Text fz="sm" c="dimmed">
          {t(`agents.item_status.${status}`)}
        </Text>
      </Group>
      {content && (
        <Text className={classes.text} dir="auto">
          {content}
        </Text>
      )}
      {/* The reason of a rejection is a text of its reviewer. */}
      {reason && (
        <Text fz="sm" mt={4} dir="auto">
          {status === 'rejected' ? t('agents.rejected_with', { reason }) : reasonText(reason)}
        </Text>
      )}
      <Picture item={item} />
      <Findings findings={findings} />
      {post && <Outcome post={post} />}
      {post_id && (
        <Group gap="md" mt="xs">
          {status === 'pending' && (
            <AnchorLink to="/w/$workspace/review" params={{ workspace: slug }} fz="sm">
              {t('agents.to_review')}
            </AnchorLink>
          )}
          {!post?.is_deleted && (
            <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} fz="sm">
              {t('agents.to_post')}
            </AnchorLink>
          )}
        </Group>
      )}
      {asked && (
        <details className={classes.part}>
          <summary>{t('agents.asked.show')}</summary>
          <AskedParts asked={asked} used={source_ids} />
        </details>
      )}
    </div>
  )
}

/** The post of an item as it is now, with the words that people changed. */
function Outcome({ post }: { post: NonNullable<RunItem['post']> }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const { status, published_at, is_deleted, texts } = post
  const changed = texts.filter(({ written, current }) => written !== current)
  return (
    <div className={classes.outcome}>
      <Group gap="xs">
        <Text fz="sm">{t('agents.outcome')}</Text>
        {is_deleted ? <Text fz="sm">{t('agents.outcome_deleted')}</Text> : <PostStatusBadge status={status} />}
        {published_at && (
          <Text fz="sm" c="dimmed" component="time" dateTime={published_at}>
            {format.dateTime(published_at)}
          </Text>
        )}
      </Group>
      {!is_deleted && (
        <Text fz="sm" c="dimmed">
          {t(changed.length > 0 ? 'agents.changed' : 'agents.unchanged')}
        </Text>
      )}
      {changed.map(({ account_id, written, current }) => (
        <div key={account_id}>
          {account_id && (
            <Text fz="sm" fw={600} mt="xs">
              {accounts.find(({ id }) => id === account_id)?.name}
            </Text>
          )}
          <ComparedText before={written} after={current} />
        </div>
      ))}
    </div>
  )
}

/** Whether a post has a picture, or why it has none. */
function Picture({ item: { picture, picture_reason } }: { item: RunItem }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  if (picture === null) return null
  const status = picture === 'added' && picture_reason ? 'replaced' : picture
  return (
    <Text fz="sm" c="dimmed" mt={4}>
      {t(`agents.picture_status.${status}`)} {picture_reason && reasonText(picture_reason)}
    </Text>
  )
}
