import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { EmojiButton } from '../../../../ui/fields/EmojiButton'
import { MediaAttachments } from '../../../media/attachments/MediaAttachments'
import classes from '../../posts.module.css'
import type { PostFields } from '../draft/post-draft'
import type { PostDestination, PostTexts } from '../form-values'
import { PostTextarea } from './PostTextarea'

type Thread = PostTexts['thread']

type Props = {
  thread: Thread
  /** Maximum number of parts that follow the post. */
  max: number
  accounts: readonly PostDestination[]
  networks: readonly Network[]
  /** Time that the post is planned for, which snippets name. */
  plannedAt: Date | undefined
  /** Name of the account whose own thread this is. */
  account?: string
  onChange: (thread: Thread) => void
  beginUpload: PostFields['beginUpload']
  /** The problem at a path such as `0/content`, or of the whole thread. */
  problem: (path?: string) => string | undefined
  counters: (text: string, hasMedia: boolean) => ReactNode
  takesMedia: boolean
  /** Maximum length of an alternative text. */
  maxAlt: number
}

/** The parts that follow a post as a thread: written, moved, added and removed. */
export function ThreadFields({ thread, max, account, problem, counters, takesMedia, maxAlt, ...props }: Props) {
  const { onChange, beginUpload, accounts, networks, plannedAt } = props
  const { t } = useTranslation()
  const id = useId()
  const fields = useRef(new Map<number, HTMLTextAreaElement>())
  /** The part that takes the focus once it is shown. */
  const next = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the parts
  useEffect(() => {
    if (next.current === undefined) return
    fields.current.get(next.current)?.focus()
    next.current = undefined
  }, [thread])
  const change = (parts: Thread, focused: number) => {
    next.current = focused
    onChange(parts)
  }
  const move = (from: number, to: number) => {
    const parts = [...thread]
    parts.splice(to, 0, ...parts.splice(from, 1))
    change(parts, to)
  }
  // The post itself is the first part.
  const nameOf = (index: number) =>
    account ? t('compose.part_for', { number: index + 2, name: account }) : t('compose.part', { number: index + 2 })
  return (
    <Stack gap="sm">
      {thread.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key, and their fields no state
        <div key={index} className={classes.part}>
          <Group justify="space-between" wrap="nowrap" mb={4}>
            <Text fw={550} fz="sm" aria-hidden="true">
              {t('compose.part', { number: index + 2 })}
            </Text>
            <Group gap={2} wrap="nowrap">
              <PartButton
                label={t('compose.part_up', { number: index + 2 })}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              >
                <ArrowUp size={16} />
              </PartButton>
              <PartButton
                label={t('compose.part_down', { number: index + 2 })}
                disabled={index === thread.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <ArrowDown size={16} />
              </PartButton>
              <PartButton
                label={t('compose.part_remove', { number: index + 2 })}
                onClick={() => change(thread.toSpliced(index, 1), Math.max(0, index - 1))}
              >
                <X size={16} />
              </PartButton>
            </Group>
          </Group>
          <MediaAttachments
            ids={part.media_ids}
            label={t('compose.media_of_part', { number: index + 2 })}
            isOffered={takesMedia}
            onChange={(media_ids) => onChange(thread.with(index, { ...part, media_ids }))}
            beginUpload={beginUpload}
            problem={(place) => problem(`${index}/media_ids${place === undefined ? '' : `/${place}`}`)}
            maxAlt={maxAlt}
          >
            <PostTextarea
              accounts={accounts}
              networks={networks}
              place={{ plannedAt, accounts }}
              aria-label={nameOf(index)}
              autosize
              minRows={3}
              maxRows={14}
              maxLength={65_536}
              dir="auto"
              ref={(field) => {
                if (field) fields.current.set(index, field)
                return () => void fields.current.delete(index)
              }}
              id={`${id}-${index}`}
              value={part.content}
              onChange={(content) => onChange(thread.with(index, { ...part, content }))}
              error={problem(`${index}/content`)}
            />
            <EmojiButton field={`${id}-${index}`} label={t('compose.emoji_part', { number: index + 2 })} />
            <div style={{ marginTop: 6 }}>{counters(part.content, part.media_ids.length > 0)}</div>
          </MediaAttachments>
        </div>
      ))}
      {problem() && (
        <Text fz="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1}>
          {problem()}
        </Text>
      )}
      {thread.length < max && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<Plus size={16} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => change([...thread, { content: '', media_ids: [] }], thread.length)}
        >
          {t('compose.add_part')}
        </Button>
      )}
    </Stack>
  )
}

function PartButton({
  label,
  ...props
}: {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} {...props} />
}
