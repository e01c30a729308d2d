import { ActionIcon, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../posts.module.css'
import type { PostTexts } from './form-values'

type Thread = PostTexts['thread']

type Props = {
  thread: Thread
  /** Maximum number of parts that follow the post. */
  max: number
  /** Name of the account whose own thread this is. */
  account?: string
  onChange: (thread: Thread) => void
  /** The problem of a part, or of the whole thread. */
  problem: (part?: number) => string | undefined
  counters: (text: string) => ReactNode
}

/** The parts that follow a post as a thread: written, moved, added and removed. */
export function ThreadFields({ thread, max, account, onChange, problem, counters }: Props) {
  const { t } = useTranslation()
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
      {thread.map(({ content, ...rest }, index) => (
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
          <Textarea
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
            value={content}
            onChange={({ currentTarget }) => onChange(thread.with(index, { ...rest, content: currentTarget.value }))}
            error={problem(index)}
            inputContainer={(input) => (
              <>
                {input}
                <div style={{ marginTop: 6 }}>{counters(content)}</div>
              </>
            )}
          />
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
