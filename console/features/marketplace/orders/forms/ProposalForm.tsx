import { Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { useMoney } from '../../../plans/format'
import { useWorkspace } from '../../../workspaces/queries'
import { amountOf, isAmount } from '../../gigs/form-values'
import { invalidateOrders, type Order } from '../order-queries'
import { ActionForm } from './ActionForm'

/** Proposes that the buyer gets back a part of the price, or all of it. */
export function ProposalForm({ order: { id, price, currency }, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const money = useMoney()
  const form = useForm({
    initialValues: { refund_amount: '', reason: '' },
    validate: {
      refund_amount: (text) =>
        isAmount(text, price) ? null : t('earnings.amount_wrong', { amount: money(price, currency) }),
      reason: (text) => (text.trim() ? null : t('field.required')),
    },
  })
  const submit = useFormSubmit(form, {
    mutationFn: ({ refund_amount, reason }) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/marketplace/orders/{id}/proposals', {
          params: { path: { id } },
          body: { refund_amount: amountOf(refund_amount), reason: reason.trim() },
        }),
      ),
    onSuccess: onClose,
    onSettled: () => invalidateOrders(slug),
  })
  return (
    <ActionForm action="propose" submit={submit} onClose={onClose}>
      <Text>{t('orders.ask.propose')}</Text>
      <TextInput
        label={t('earnings.amount', { currency })}
        inputMode="decimal"
        autoComplete="off"
        required
        {...form.getInputProps('refund_amount')}
      />
      <Textarea
        label={t('orders.label.cancel')}
        autosize
        minRows={2}
        maxLength={1000}
        required
        {...form.getInputProps('reason')}
      />
    </ActionForm>
  )
}
