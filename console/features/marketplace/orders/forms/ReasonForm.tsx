import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateOrders, type Order } from '../order-queries'
import { ActionForm } from './ActionForm'

/** Maximum length of the text of each action, as in the API. */
const lengths = {
  request_revision: 5000,
  submit_requirements: 5000,
  dispute: 5000,
  cancel: 1000,
  reply_to_review: 2000,
}
type ReasonAction = keyof typeof lengths

type Props = { order: Order; action: ReasonAction; onClose: () => void }

/** Asks for the text that an action sends to the other side. */
export function ReasonForm({ order, action, onClose }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const client = workspaceApi(slug)
  const params = { path: { id: order.id } }
  const calls: Record<ReasonAction, (text: string) => Promise<unknown>> = {
    cancel: (reason) => unwrap(client.PATCH('/api/v1/marketplace/orders/{id}/cancel', { params, body: { reason } })),
    dispute: (reason) => unwrap(client.POST('/api/v1/marketplace/orders/{id}/dispute', { params, body: { reason } })),
    request_revision: (reason) =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/revision', { params, body: { reason } })),
    reply_to_review: (text) =>
      unwrap(client.POST('/api/v1/marketplace/orders/{id}/review/reply', { params, body: { text } })),
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
    <ActionForm action={action} submit={submit} onClose={onClose}>
      <Text>{t(`orders.ask.${action}`)}</Text>
      <Textarea
        label={t(`orders.label.${action}`)}
        autosize
        minRows={3}
        maxLength={lengths[action]}
        {...form.getInputProps('text')}
      />
    </ActionForm>
  )
}
