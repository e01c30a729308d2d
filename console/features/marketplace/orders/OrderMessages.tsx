import { Button, Card, Stack, Text, Textarea, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useWorkspaceFormat } from '../../billing/format'
import { MediaAttachments } from '../../media/attachments/MediaAttachments'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { Message } from './Message'
import { invalidateOrders, messagesQuery, type Order } from './order-queries'

/** Maximum number of files of a message, as in the API. */
const MAX_FILES = 10

/** The messages of both sides and of Meydan, the newest first. */
export function OrderMessages({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useWorkspaceFormat()
  const messages = useInfiniteQuery(messagesQuery(slug, order.id))
  const rows = messages.data?.pages.flatMap(({ data }) => data) ?? []
  useReadMessages(order, rows[0]?.id)
  return (
    <Card component="section" aria-labelledby="messages">
      <Stack>
        <Title order={2} size="h3" id="messages">
          {t('orders.messages')}
        </Title>
        {order.actions.includes('send_message') && <MessageForm id={order.id} />}
        {messages.error && <ProblemAlert error={messages.error} onRetry={() => messages.refetch()} />}
        {messages.data && rows.length === 0 && <Text c="dimmed">{t('orders.no_messages')}</Text>}
        {rows.length > 0 && (
          <ul className={classes.messages} aria-labelledby="messages">
            {rows.map((message) => (
              <Message key={message.id} message={message} currency={order.currency} format={format} />
            ))}
          </ul>
        )}
        <LoadMore of={messages} />
      </Stack>
    </Card>
  )
}

/** Marks the shown messages as read. */
function useReadMessages({ id, unread_messages, actions }: Order, newest: string | undefined) {
  const { slug } = useWorkspace()
  const mayRead = actions.includes('send_message')
  const { mutate } = useMutation({
    mutationFn: (message_id: string) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/marketplace/orders/{id}/messages/read', {
          params: { path: { id } },
          body: { message_id },
        }),
      ),
    onSuccess: () => invalidateOrders(slug),
  })
  useEffect(() => {
    if (mayRead && unread_messages > 0 && newest) mutate(newest)
  }, [mayRead, unread_messages, newest, mutate])
}

function MessageForm({ id }: { id: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const once = useIdempotencyKey()
  const form = useForm({
    initialValues: { text: '', media_ids: [] as string[] },
    validate: { text: (text) => (text.trim() ? null : t('field.required')) },
  })
  const send = useMutation({
    mutationFn: (body: { text: string; media_ids: string[] }) =>
      once(body, (headers) =>
        unwrap(
          workspaceApi(slug).POST('/api/v1/marketplace/orders/{id}/messages', {
            params: { path: { id } },
            body,
            headers,
          }),
        ),
      ),
    onSuccess: () => {
      form.reset()
      return invalidateOrders(slug)
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ text, media_ids }) => send.mutate({ text: text.trim(), media_ids }))} noValidate>
      <Stack gap="sm">
        <MediaAttachments
          ids={form.values.media_ids}
          label={t('orders.files')}
          max={MAX_FILES}
          onChange={(ids) => form.setFieldValue('media_ids', ids)}
          problem={() => undefined}
          maxAlt={2000}
          isOffered
        >
          <Textarea
            label={t('orders.new_message')}
            autosize
            minRows={2}
            maxLength={5000}
            {...form.getInputProps('text')}
          />
        </MediaAttachments>
        {send.error && <ProblemAlert error={send.error} />}
        <div>
          <Button type="submit" variant="default" loading={send.isPending}>
            {t('orders.send')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
