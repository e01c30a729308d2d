import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/feedback/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useWorkspace } from '../../workspaces/queries'
import type { ReasonAction } from './OrderActions'
import { invalidateOrders, type Order } from './order-queries'

/** Asks for the text that an action sends to the other side. */
export function ReasonDialog({ order, action, onClose }: { order: Order; action: ReasonAction; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const params = { path: { id: order.id } }
  const calls: Record<ReasonAction, (text: string) => Promise<unknown>> = {
    cancel: (reason) => unwrap(client.PATCH('/api/v1/marketplace/orders/{id}/cancel', { params, body: { reason } })),
    dispute: (reason) => unwrap(client.POST('/api/v1/marketplace/orders/{id}/dispute', { params, body: { reason } })),
    request_revision: (reason) =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/revision', { params, body: { reason } })),
    submit_requirements: (requirements) =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/requirements', { params, body: { requirements } })),
  }
  const form = useForm({
    initialValues: { text: action === 'submit_requirements' ? (order.requirements ?? '') : '' },
    validate: { text: (text) => (text.trim() ? null : t('field.required')) },
  })
  const submit = useFormSubmit(form, {
    mutationFn: ({ text }) => calls[action](text.trim()),
    onSuccess: onClose,
    onSettled: () => invalidateOrders(slug),
  })
  return (
    <Dialog opened onClose={onClose} title={t(`orders.action.${action}`)}>
      <form onSubmit={submit.onSubmit} noValidate>
        <Stack>
          <Text>{t(`orders.ask.${action}`)}</Text>
          <Textarea
            label={t('orders.text')}
            autosize
            minRows={3}
            maxLength={action === 'cancel' ? 1000 : 5000}
            {...form.getInputProps('text')}
          />
          {submit.problem && <ProblemAlert error={submit.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('orders.close')}
            </Button>
            <Button type="submit" color={action === 'cancel' ? 'coral' : undefined} loading={submit.isPending}>
              {t(`orders.action.${action}`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
