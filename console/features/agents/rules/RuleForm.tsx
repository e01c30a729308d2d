import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useWorkspace } from '../../workspaces/queries'
import { type AgentRule, changeRule, invalidateRules } from './rule-queries'

type Props = { agent: string; rule?: AgentRule | undefined; onClose: () => void }

/** Adds a rule, or changes the given one. */
export function RuleForm({ agent, rule, onClose }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  const form = useForm({ initialValues: { text: rule?.text ?? '' } })
  const submit = useFormSubmit(form, {
    mutationFn: async ({ text }) => {
      const body = { text: text.trim() }
      if (rule) return changeRule(slug, agent, rule, body)
      const params = { path: { id: agent } }
      return once(body, (headers) =>
        unwrap(workspaceApi(slug).POST('/api/v1/agents/{id}/rules', { params, body, headers })),
      )
    },
    onSuccess: () => {
      onClose()
      return invalidateRules(slug, agent)
    },
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <Textarea
          label={t('agent_rules.text')}
          description={t('agent_rules.text_about')}
          placeholder={t('agent_rules.example')}
          maxLength={500}
          autosize
          minRows={2}
          maxRows={8}
          required
          data-autofocus
          {...form.getInputProps('text')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t(rule ? 'agent_rules.save' : 'agent_rules.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
