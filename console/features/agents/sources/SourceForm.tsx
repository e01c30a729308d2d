import { Button, Checkbox, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { SourceAddress } from './SourceAddress'
import { type AgentSource, invalidateSources } from './source-queries'

const kinds = ['feed', 'page', 'text'] as const

type Values = { kind: AgentSource['kind']; label: string; url: string; text: string; is_trusted: boolean }
type Props = { agent: string; source?: AgentSource | undefined; onClose: () => void }

/** Adds a source, or changes the given one. */
export function SourceForm({ agent, source, onClose }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const client = workspaceApi(slug)
  const once = useIdempotencyKey()
  const form = useForm<Values>({
    initialValues: {
      kind: source?.kind ?? 'feed',
      label: source?.label ?? '',
      url: source?.url ?? '',
      text: source?.text ?? '',
      is_trusted: source?.is_trusted ?? false,
    },
  })
  const { kind, is_trusted } = form.values
  const isText = kind === 'text'
  const mayTrust = isAtLeast(workspace, 'admin')
  const submit = useFormSubmit(form, {
    mutationFn: async ({ label, url, text }) => {
      const content = isText ? { text: text.trim() } : { url: url.trim(), ...(mayTrust && { is_trusted }) }
      const body = { label: label.trim(), ...content }
      if (source) {
        const params = { path: { id: agent, source_id: source.id } }
        return unwrap(client.PATCH('/api/v1/agents/{id}/sources/{source_id}', { params, body }))
      }
      const added = { kind, ...body }
      const params = { path: { id: agent } }
      return once(added, (headers) =>
        unwrap(client.POST('/api/v1/agents/{id}/sources', { params, body: added, headers })),
      )
    },
    onSuccess: () => {
      onClose()
      return invalidateSources(slug, agent)
    },
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        {!source && (
          <SegmentedControl
            aria-label={t('sources.kind')}
            value={kind}
            onChange={(value) => form.setFieldValue('kind', kinds.find((known) => known === value) ?? 'feed')}
            data={kinds.map((value) => ({ value, label: t(`sources.kinds.${value}`) }))}
          />
        )}
        <TextInput
          label={t('sources.label')}
          placeholder={t(`sources.examples.${kind}`)}
          maxLength={80}
          autoComplete="off"
          required
          {...form.getInputProps('label')}
        />
        {isText ? (
          <Textarea
            label={t('sources.text')}
            description={t('sources.text_about')}
            maxLength={20_000}
            autosize
            minRows={6}
            maxRows={16}
            required
            {...form.getInputProps('text')}
          />
        ) : (
          <SourceAddress
            label={t('sources.url')}
            description={t('sources.url_about')}
            value={{ kind, url: form.values.url }}
            kinds={source ? [kind] : ['feed', 'page']}
            required
            error={form.errors.url}
            onChange={(address) => form.setValues(address)}
          />
        )}
        {!isText && mayTrust && (
          <Checkbox
            label={t('sources.trust')}
            description={t('sources.trust_about')}
            {...form.getInputProps('is_trusted', { type: 'checkbox' })}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t(source ? 'sources.save' : 'sources.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
