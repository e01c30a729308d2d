import { Button, Group, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { useErrorNotification } from '../../../../ui/feedback/useErrorNotification'
import { useWorkspace } from '../../../workspaces/queries'
import { showPost } from '../../changes'

const MAX_LENGTH = 65_536

/** Keeps an idea. Enter adds it and begins the next one; with Shift, it begins a line. */
export function NewIdea() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const show = useErrorNotification()
  const add = useMutation({
    mutationFn: (content: string) =>
      unwrap(workspaceApi(slug).POST('/api/v1/posts', { body: { content, is_idea: true } })),
    onSuccess: (idea) => {
      showPost(slug, idea)
      setText('')
      field.current?.focus()
    },
    onError: show,
  })
  const content = text.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (content && !add.isPending) add.mutate(content)
  }
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }
  return (
    <form onSubmit={submit}>
      <Textarea
        ref={field}
        aria-label={t('calendar_unplanned.write')}
        placeholder={t('calendar_unplanned.write')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={submitByKey}
      />
      <Group justify="flex-end" mt={6}>
        <Button type="submit" variant="light" size="compact-md" disabled={!content} loading={add.isPending}>
          {t('calendar_unplanned.add')}
        </Button>
      </Group>
    </form>
  )
}
