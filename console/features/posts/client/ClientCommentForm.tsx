import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { reloadClientReview } from './queries'
import { writerName } from './writer-name'

const MAX_BODY = 2000

type Props = { id: string; post_id: string; parent_id?: string; label: string; onDone?: () => void }

/** Writes to the team. The name is asked once in a browser. */
export function ClientCommentForm({ id, post_id, parent_id, label, onDone }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(writerName.read)
  const [isNaming, setNaming] = useState(name === '')
  const [body, setBody] = useState('')
  const isTooLong = body.length > MAX_BODY && [...body].length > MAX_BODY
  const send = useMutation({
    mutationFn: () => {
      const params = { path: { id, post_id } }
      const sent = { name, body, ...(parent_id !== undefined && { parent_id }) }
      return unwrap(api.POST('/api/v1/review/{id}/posts/{post_id}/comments', { params, body: sent }))
    },
    onSuccess: async () => {
      writerName.store(name)
      setNaming(false)
      setBody('')
      await reloadClientReview(id)
      onDone?.()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Stack gap="sm">
        {isNaming ? (
          <TextInput
            size="md"
            label={t('client.your_name')}
            description={t('client.your_name_about')}
            autoComplete="name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={80}
            required
          />
        ) : (
          <Group gap="xs">
            <Text fz="sm" c="dimmed" dir="auto">
              {t('client.writes_as', { name })}
            </Text>
            <Button variant="subtle" size="compact-sm" px={0} onClick={() => setNaming(true)}>
              {t('client.change_name')}
            </Button>
          </Group>
        )}
        <Textarea
          size="md"
          label={label}
          description={t('client.comments_about')}
          data-autofocus={parent_id !== undefined || undefined}
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
          error={isTooLong && t('client.too_long')}
          dir="auto"
          autosize
          minRows={2}
          required
        />
        {send.error && <ProblemAlert error={send.error} />}
        <Group grow>
          {onDone && (
            <Button size="md" variant="default" onClick={onDone}>
              {t('ui.cancel')}
            </Button>
          )}
          <Button
            size="md"
            type="submit"
            variant="light"
            loading={send.isPending}
            disabled={!body.trim() || !name.trim() || isTooLong}
          >
            {t('client.send_comment')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
