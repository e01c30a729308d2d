import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { creditsFault, textToCredits } from '../form/form-values'
import type { Agent } from '../queries'
import { useScheduleText } from '../schedule-text'
import { EstimateText, useBudgetText } from './EstimateText'

type Props = {
  agent: Agent
  opened: boolean
  onClose: () => void
  isPending: boolean
  onConfirm: () => void
}

/** Shows what an agent will cost before it is enabled, and sets its budget. */
export function EnableDialog({ opened, ...props }: Props) {
  const { t } = useTranslation()
  const { agent, onClose } = props
  return (
    <Dialog opened={opened} onClose={onClose} title={t('agents.enable_ask', { name: agent.name })}>
      <EnableForm {...props} />
    </Dialog>
  )
}

function EnableForm({ agent, onClose, isPending, onConfirm }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const scheduleText = useScheduleText()
  const budgetText = useBudgetText()
  const { id, schedule_cron, timezone, autonomy_level, estimate } = agent
  const form = useForm({
    initialValues: { monthly_credits: String(agent.monthly_credits ?? '') },
    validate: { monthly_credits: (text) => creditsFault(t, text) },
  })
  const monthly_credits = textToCredits(form.values.monthly_credits)
  const submit = useFormSubmit(form, {
    mutationFn: async () => {
      if (!form.isDirty()) return
      const params = { path: { id } }
      await unwrap(workspaceApi(slug).PATCH('/api/v1/agents/{id}', { params, body: { monthly_credits } }))
    },
    onSuccess: onConfirm,
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="sm" mb="md">
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <Text>
          {scheduleText(schedule_cron)}
          {schedule_cron !== null && ` (${timezone})`}. {t(`agents.levels_about.${autonomy_level}`)}
        </Text>
        <EstimateText estimate={estimate} limit={agent.monthly_spend_limit_usd} />
        <TextInput
          label={t('agents.monthly_credits')}
          description={t('agents.monthly_credits_about')}
          inputMode="numeric"
          autoComplete="off"
          inputContainer={(input) => (
            <Group gap="xs" wrap="nowrap" align="stretch">
              {input}
              {estimate.high > 0 && (
                <Button
                  variant="default"
                  flex="none"
                  h="auto"
                  onClick={() => form.setFieldValue('monthly_credits', String(estimate.high))}
                >
                  {t('agents.use_high', { high: format.number(estimate.high) })}
                </Button>
              )}
            </Group>
          )}
          {...form.getInputProps('monthly_credits')}
        />
        <Text fz="sm">{budgetText({ ...agent, ...(form.isValid() && { monthly_credits }) })}</Text>
      </Stack>
      <DialogActions>
        {/* Keeps the keyboard of a phone away from the estimate. */}
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" loading={submit.isPending || isPending}>
          {t('agents.enable')}
        </Button>
      </DialogActions>
    </form>
  )
}
