import { Button, Card, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useMoney } from '../../plans/format'
import { amountOf } from '../gigs/form-values'
import { type Dispute, invalidateMarketplaceAdmin } from './admin-queries'

/** The part of a price that is left for the seller, before the fee. */
export const restOf = (price: number, refund: number) => Math.round((price - refund) * 100) / 100

/** Divides the price between both sides, after a confirmation. */
export function ResolveDispute({ dispute: { id, order } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const money = useMoney()
  const { price, currency } = order
  const [asking, ask] = useDisclosure(false)
  const isShare = (text: string) => /^\d+([.,]\d{1,2})?$/.test(text.trim()) && amountOf(text) <= price
  const form = useForm({
    initialValues: { refund_amount: '', note: '' },
    validate: {
      refund_amount: (text) =>
        isShare(text) ? null : t('admin.marketplace.share_wrong', { amount: money(price, currency) }),
    },
  })
  const { refund_amount, note } = form.values
  const split = isShare(refund_amount) && {
    refund: money(amountOf(refund_amount), currency),
    rest: money(restOf(price, amountOf(refund_amount)), currency),
  }
  const resolve = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/admin/marketplace/disputes/{id}/resolve', {
          params: { path: { id } },
          body: { refund_amount: amountOf(refund_amount), ...(note.trim() && { note: note.trim() }) },
        }),
      ),
    onSuccess: () => {
      ask.close()
      notifications.show({ message: t('admin.marketplace.resolved') })
      return invalidateMarketplaceAdmin()
    },
  })
  return (
    <Card component="section" aria-labelledby="decision">
      <form onSubmit={form.onSubmit(ask.open)} noValidate>
        <Stack>
          <Title order={2} size="h3" id="decision">
            {t('admin.marketplace.decision')}
          </Title>
          <Shares price={price} choose={(amount) => form.setFieldValue('refund_amount', String(amount))} />
          <TextInput
            label={t('admin.marketplace.refund_amount', { currency })}
            description={t('admin.marketplace.refund_amount_about', { amount: money(price, currency) })}
            inputMode="decimal"
            autoComplete="off"
            required
            {...form.getInputProps('refund_amount')}
          />
          <Text role="status">{split ? t('admin.marketplace.split', split) : ''}</Text>
          <Textarea
            label={t('admin.marketplace.note')}
            description={t('admin.marketplace.note_about')}
            autosize
            minRows={2}
            maxLength={5000}
            {...form.getInputProps('note')}
          />
          <Group justify="flex-end">
            <Button type="submit">{t('admin.marketplace.decide')}</Button>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        opened={asking}
        onClose={ask.close}
        title={t('admin.marketplace.decide_ask')}
        confirm={t('admin.marketplace.decide')}
        mutation={resolve}
        onConfirm={() => resolve.mutate()}
      >
        <Text>{split ? t('admin.marketplace.split', split) : ''}</Text>
        <Text mt="xs">{t('admin.marketplace.decide_detail')}</Text>
      </ConfirmDialog>
    </Card>
  )
}

/** Fills in the usual shares of the buyer. */
function Shares({ price, choose }: { price: number; choose: (amount: number) => void }) {
  const { t } = useTranslation()
  const shares = { all: price, half: Math.round(price * 50) / 100, none: 0 }
  return (
    <Group gap="xs" role="group" aria-label={t('admin.marketplace.shares')}>
      {(['all', 'half', 'none'] as const).map((share) => (
        <Button key={share} variant="default" size="compact-md" onClick={() => choose(shares[share])}>
          {t(`admin.marketplace.share.${share}`)}
        </Button>
      ))}
    </Group>
  )
}
