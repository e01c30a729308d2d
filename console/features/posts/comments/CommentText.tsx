import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LinkedText } from '../../../ui/text/LinkedText'
import { partsOf } from './mention-text'
import type { Comment } from './queries'

/** The text of a comment, with its mentions and links. */
export function CommentText({ body, mentions }: { body: string; mentions: Comment['mentions'] }) {
  const { t } = useTranslation()
  return (
    <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {partsOf(body).map((part, index) =>
        index % 2 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
          <Text key={index} span inherit fw={600} c="var(--mantine-color-anchor)">
            @{mentions.find(({ id }) => id === part)?.name ?? t('comments.former_member')}
          </Text>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <LinkedText key={index} text={part} />
        ),
      )}
    </Text>
  )
}
