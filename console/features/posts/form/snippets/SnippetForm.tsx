import { Button, Group, SegmentedControl, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { countHashtags } from '../../../../../shared/text/hashtags'
import { unwrap, workspaceApi } from '../../../../api'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../../ui/forms/useIdempotencyKey'
import { useFormat } from '../../../../ui/text/format'
import { useWorkspace } from '../../../workspaces/queries'
import { AccountsSelect } from './AccountsSelect'
import { invalidateSnippets, kinds, type Snippet } from './queries'
import type { TemplateParts } from './snippet-place'
import { VariableMenu } from './VariableMenu'

type Props = {
  snippet?: Snippet
  content: string
  /** The parts of the post that a new template begins with. */
  post?: TemplateParts | undefined
  onClose: () => void
}

const EMPTY: TemplateParts = { account_ids: [], labels: [], first_comment: null }

/** Adds a snippet, or changes the given one. */
export function SnippetForm({ snippet, content, post = EMPTY, onClose }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const client = workspaceApi(slug)
  const once = useIdempotencyKey()
  const begin = snippet ?? post
  const form = useForm({
    initialValues: {
      name: snippet?.name ?? '',
      content,
      kind: snippet?.kind ?? kinds[0],
      account_ids: begin.account_ids,
      labels: begin.labels,
      first_comment: begin.first_comment ?? '',
    },
  })
  const { kind } = form.values
  const submit = useFormSubmit(form, {
    at: { snippet_name_taken: 'name' },
    mutationFn: ({ first_comment, account_ids, labels, ...values }) => {
      const body = {
        ...values,
        ...(values.kind === 'template' && { account_ids, labels, first_comment: first_comment.trim() || null }),
      }
      return snippet
        ? unwrap(
            client.PATCH('/api/v1/snippets/{id}', {
              params: { path: { id: snippet.id } },
              body,
              headers: { 'if-match': `"${snippet.version}"` },
            }),
          )
        : once(body, (headers) => unwrap(client.POST('/api/v1/snippets', { body, headers })))
    },
    onSuccess: async () => {
      await invalidateSnippets(slug)
      onClose()
    },
    // The list shows the version of somebody else.
    onError: () => invalidateSnippets(slug),
  })
  const count = countHashtags(form.values.content)
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
        <div>
          <SegmentedControl
            fullWidth
            aria-label={t('snippets.kind')}
            data={kinds.map((value) => ({ value, label: t(`snippets.kind_${value}`) }))}
            {...form.getInputProps('kind')}
          />
          <Text fz="sm" c="dimmed" mt={6}>
            {t(`snippets.${kind}_about`)}
          </Text>
        </div>
        <TextInput
          label={t('snippets.name')}
          maxLength={80}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
        />
        <div>
          <Textarea
            label={t('snippets.content')}
            maxLength={5000}
            autosize
            minRows={4}
            maxRows={14}
            dir="auto"
            required
            id="snippet-content"
            {...form.getInputProps('content')}
          />
          <Group justify="space-between" mt={4}>
            <VariableMenu field="snippet-content" />
            {kind === 'hashtags' && (
              <Text fz="sm" c="dimmed" className="tabular">
                {t('snippets.count', { count, number: format.number(count) })}
              </Text>
            )}
          </Group>
        </div>
        {kind === 'template' && (
          <>
            <AccountsSelect {...form.getInputProps('account_ids')} />
            <TagsInput label={t('compose.labels')} maxTags={20} maxLength={40} {...form.getInputProps('labels')} />
            <Textarea
              label={t('compose.comment')}
              description={t('compose.comment_about')}
              maxLength={5000}
              autosize
              minRows={2}
              maxRows={8}
              dir="auto"
              {...form.getInputProps('first_comment')}
            />
          </>
        )}
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
