import { Anchor, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
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
          <Linked key={index} text={part} />
        ),
      )}
    </Text>
  )
}

/** A text whose addresses are links. */
const Linked = ({ text }: { text: string }) =>
  text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'])/).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
      <Anchor key={index} href={part} target="_blank" rel="noreferrer nofollow" inherit>
        {part}
      </Anchor>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{part}</Fragment>
    ),
  )
