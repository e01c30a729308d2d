import { ActionIcon, Button, Group, Input, Stack, Text, Textarea } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

const MAX_POSTS = 5

type Props = {
  posts: string[]
  /** Absent for those who only read. */
  onChange: ((posts: string[]) => void) | undefined
  error: ReactNode
}

/** Posts that are examples of the style: written, added and removed. */
export function LikedPosts({ posts, onChange, error }: Props) {
  const { t } = useTranslation()
  const fields = useRef<HTMLDivElement>(null)
  /** Index of the field that takes the focus once it is shown; the number of fields for the button. */
  const next = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of their number
  useEffect(() => {
    if (next.current === undefined) return
    const shown = fields.current?.querySelectorAll<HTMLElement>('textarea, [data-add]')
    shown?.[Math.min(next.current, shown.length - 1)]?.focus()
    next.current = undefined
  }, [posts.length])
  return (
    <Stack gap="sm" ref={fields}>
      {posts.length === 0 && !onChange && <Text c="dimmed">{t('brand.liked_posts_none')}</Text>}
      {posts.map((post, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: posts have no other key, and their fields no state
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <Textarea
            aria-label={t('brand.liked_post', { number: index + 1 })}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={1000}
            dir="auto"
            flex={1}
            readOnly={!onChange}
            value={post}
            onChange={({ currentTarget }) => onChange?.(posts.with(index, currentTarget.value))}
          />
          {onChange && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('brand.liked_post_remove', { number: index + 1 })}
              onClick={() => {
                next.current = index
                onChange(posts.toSpliced(index, 1))
              }}
            >
              <X size={18} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {error && <Input.Error>{error}</Input.Error>}
      {onChange && posts.length < MAX_POSTS && (
        <Button
          data-add
          variant="default"
          leftSection={<Plus size={16} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            next.current = posts.length
            onChange([...posts, ''])
          }}
        >
          {t('brand.liked_post_add')}
        </Button>
      )}
    </Stack>
  )
}
