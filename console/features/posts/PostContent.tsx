import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../shared/text/mentions'
import type { Post } from '../../api'
import { PreviewGrid } from '../media/attachments/PreviewGrid'
import classes from './posts.module.css'

type Props = {
  texts: Pick<Post, 'content' | 'media_ids' | 'thread' | 'first_comment'>
  /** Whether this is the post itself, not the version of an account. */
  isMain?: boolean
}

/** The post to read: its text and files, the parts of its thread, and its first comment. */
export function PostContent({ texts, isMain = false }: Props) {
  const { t } = useTranslation()
  const { content, media_ids, thread, first_comment } = texts
  const size = isMain ? 'lg' : 'sm'
  const color = isMain ? undefined : 'dimmed'
  return (
    <Stack gap="md">
      <div>
        {(content || isMain) && (
          <Text className="text" dir="auto" fz={size} c={content ? color : 'dimmed'}>
            {withMentionNames(content) || t('posts.empty')}
          </Text>
        )}
        <Files ids={media_ids} />
      </div>
      {thread.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key, and no state
        <section key={index} className={classes.part} aria-label={t('compose.part', { number: index + 2 })}>
          <Text className="text" dir="auto" fz={isMain ? 'md' : 'sm'} c={color}>
            {withMentionNames(part.content)}
          </Text>
          <Files ids={part.media_ids} />
        </section>
      ))}
      {first_comment && (
        <section aria-label={t('compose.comment_preview')}>
          <Text fz="sm" c="dimmed">
            {t('compose.comment_preview')}
          </Text>
          <Text className="text" dir="auto" fz={isMain ? 'md' : 'sm'} c={color}>
            {withMentionNames(first_comment)}
          </Text>
        </section>
      )}
    </Stack>
  )
}

const Files = ({ ids }: { ids: readonly string[] }) =>
  ids.length > 0 && (
    <div style={{ maxWidth: '26rem' }}>
      <PreviewGrid ids={ids} />
    </div>
  )
