import { Button, Card, Stack, Text, Textarea, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import classes from '../marketplace.module.css'
import { Message } from '../orders/Message'
import { type Dispute, invalidateMarketplaceAdmin } from './admin-queries'

/** The last messages of the order, the newest first. While the dispute is open, the instance admin writes to both sides. */
export function DisputeMessages({ dispute: { id, status, messages, order } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <Card component="section" aria-labelledby="messages">
      <Stack>
        <Title order={2} size="h3" id="messages">
          {t('orders.messages')}
        </Title>
        {status === 'open' && <MessageForm id={id} />}
        {messages.data.length === 0 ? (
          <Text c="dimmed">{t('orders.no_messages')}</Text>
        ) : (
          <ul className={classes.messages} aria-labelledby="messages">
            {messages.data.map((message) => (
              <Message
                key={message.id}
                message={message}
                currency={order.currency}
                format={format}
                hasFiles={status === 'open'}
              />
            ))}
          </ul>
        )}
        {messages.next_cursor && (
          <Text fz="sm" c="dimmed">
            {t('admin.marketplace.last_messages')}
          </Text>
        )}
      </Stack>
    </Card>
  )
}

function MessageForm({ id }: Pick<Dispute, 'id'>) {
  const { t } = useTranslation()
  const once = useIdempotencyKey()
  const form = useForm({
    initialValues: { text: '' },
    validate: { text: (text) => (text.trim() ? null : t('field.required')) },
  })
  const submit = useFormSubmit(form, {
    mutationFn: ({ text }) => {
      const body = { text: text.trim() }
      return once(body, (headers) =>
        unwrap(
          api.POST('/api/v1/admin/marketplace/disputes/{id}/messages', { params: { path: { id } }, body, headers }),
        ),
      )
    },
    onSuccess: () => form.reset(),
    onSettled: invalidateMarketplaceAdmin,
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="sm">
        <Textarea
          label={t('admin.marketplace.new_message')}
          description={t('admin.marketplace.new_message_about')}
          autosize
          minRows={2}
          maxLength={5000}
          {...form.getInputProps('text')}
        />
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <div>
          <Button type="submit" variant="default" loading={submit.isPending}>
            {t('orders.send')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
