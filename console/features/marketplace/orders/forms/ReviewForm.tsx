import { Group, Radio, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateOrders, type Order } from '../order-queries'
import { ActionForm } from './ActionForm'

/** Reviews an order after its end. */
export function ReviewForm({ order: { id }, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm({
    initialValues: { rating: '', text: '' },
    validate: { rating: (rating) => (rating ? null : t('field.required')) },
  })
  const submit = useFormSubmit(form, {
    mutationFn: ({ rating, text }) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/marketplace/orders/{id}/review', {
          params: { path: { id } },
          body: { rating: Number(rating), text: text.trim() },
        }),
      ),
    onSuccess: onClose,
    onSettled: () => invalidateOrders(slug),
  })
  return (
    <ActionForm action="review" submit={submit} onClose={onClose}>
      <Text>{t('orders.ask.review')}</Text>
      <Radio.Group label={t('orders.rating')} required {...form.getInputProps('rating')}>
        <Group mt="xs">
          {['1', '2', '3', '4', '5'].map((rating) => (
            <Radio key={rating} value={rating} label={rating} aria-label={t('orders.stars', { rating })} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea label={t('orders.review_text')} autosize minRows={3} maxLength={2000} {...form.getInputProps('text')} />
    </ActionForm>
  )
}
