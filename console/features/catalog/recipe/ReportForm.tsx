import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'

const reasons = ['spam', 'unsafe', 'illegal', 'copyright', 'offensive', 'other'] as const
type Reason = (typeof reasons)[number]

/** Reports a recipe to the instance admins. */
export function ReportForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm<{ reason: Reason; text: string }>({ initialValues: { reason: 'unsafe', text: '' } })
  const submit = useFormSubmit(form, {
    mutationFn: ({ reason, text }) =>
      unwrap(
        api.POST('/api/v1/catalog/agent-recipes/{id}/report', {
          params: { path: { id } },
          body: { reason, text: text.trim() },
        }),
      ),
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('catalog.reported') })
    },
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <Radio.Group label={t('catalog.report_reason')} {...form.getInputProps('reason')}>
          <Stack gap="xs" mt="xs">
            {reasons.map((reason) => (
              <Radio key={reason} value={reason} label={t(`catalog.reasons.${reason}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={t('catalog.report_text')}
          maxLength={2000}
          autosize
          minRows={3}
          {...form.getInputProps('text')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t('catalog.report')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
