import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateSnippets, type Snippet } from './queries'

type Props = { snippet?: Snippet; content: string; onClose: () => void }

/** Adds a snippet, or changes the given one. */
export function SnippetForm({ snippet, content, onClose }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const once = useIdempotencyKey()
  const form = useForm({ initialValues: { name: snippet?.name ?? '', content } })
  const submit = useFormSubmit(form, {
    at: { snippet_name_taken: 'name' },
    mutationFn: (body) =>
      snippet
        ? unwrap(
            client.PATCH('/api/v1/snippets/{id}', {
              params: { path: { id: snippet.id } },
              body,
              headers: { 'if-match': `"${snippet.version}"` },
            }),
          )
        : once(body, (headers) => unwrap(client.POST('/api/v1/snippets', { body, headers }))),
    onSuccess: async () => {
      await invalidateSnippets(slug)
      onClose()
    },
    // The list shows the version of somebody else.
    onError: () => invalidateSnippets(slug),
  })
  return (
    // The dialog is inside the form of the post, whose submission it must not start.
    <form
      onSubmit={(event) => {
        event.stopPropagation()
        submit.onSubmit(event)
      }}
      noValidate
    >
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <TextInput
          label={t('snippets.name')}
          maxLength={80}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('snippets.content')}
          maxLength={5000}
          autosize
          minRows={4}
          maxRows={14}
          dir="auto"
          required
          {...form.getInputProps('content')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t('snippets.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
