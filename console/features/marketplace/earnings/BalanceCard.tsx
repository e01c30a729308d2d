import { Button, Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspaceFormat } from '../../billing/format'
import { useMoney } from '../../plans/format'
import { amountOf, isAmount } from '../gigs/form-values'
import { useRequestPayout } from '../mutations'
import type { Balance, PayoutAccount } from '../queries'

type Props = { balance: Balance; account: PayoutAccount | null }

/** The balance in a currency, each part explained, and the request of a payout. */
export function BalanceCard({ balance, account }: Props) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const [opened, dialog] = useDisclosure(false)
  const { currency, owed } = balance
  const parts = [
    'available',
    'pending',
    ...(balance.held > 0 ? (['held'] as const) : []),
    ...(owed > 0 ? (['owed'] as const) : []),
  ] as const
  const held = account?.held_until && new Date(account.held_until) > new Date() ? account.held_until : null
  const reason = !account
    ? t('earnings.needs_account')
    : held && t('earnings.account_held', { time: format.dateTime(held) })
  return (
    <Card component="section" aria-label={t('earnings.balance', { currency })}>
      <Title order={2} size="h3" mb="sm">
        {t('earnings.balance', { currency })}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: Math.max(3, parts.length) }} component="dl" m={0}>
        {parts.map((part) => (
          <div key={part}>
            <Text component="dt" fz="sm" c="dimmed">
              {t(`earnings.${part}`)}
            </Text>
            <Text component="dd" m={0} fz="xl" fw={650}>
              {money(balance[part], currency)}
            </Text>
            <Text component="dd" m={0} fz="sm" c="dimmed">
              {t(`earnings.${part}_about`)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {balance.available > 0 && (
        <Group mt="md">
          <Button disabled={Boolean(reason)} onClick={dialog.open}>
            {t('earnings.request')}
          </Button>
          {reason && <Text fz="sm">{reason}</Text>}
        </Group>
      )}
      <Dialog opened={opened} onClose={dialog.close} title={t('earnings.request')}>
        <RequestForm balance={balance} onClose={dialog.close} />
      </Dialog>
    </Card>
  )
}

function RequestForm({
  balance: { currency, available, payout_min },
  onClose,
}: {
  balance: Balance
  onClose: () => void
}) {
  const { t } = useTranslation()
  const money = useMoney()
  const form = useForm({
    initialValues: { amount: String(available) },
    validate: {
      amount: (text) =>
        isAmount(text, available) ? null : t('earnings.amount_wrong', { amount: money(available, currency) }),
    },
  })
  const request = useRequestPayout(() => {
    onClose()
    notifications.show({ message: t('earnings.requested') })
  })
  return (
    <form onSubmit={form.onSubmit(({ amount }) => request.mutate({ currency, amount: amountOf(amount) }))} noValidate>
      <Stack>
        <TextInput
          label={t('earnings.amount', { currency })}
          description={t('earnings.request_about', { amount: money(payout_min, currency) })}
          inputMode="decimal"
          autoComplete="off"
          required
          {...form.getInputProps('amount')}
        />
        {request.error && <ProblemAlert error={request.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={request.isPending}>
            {t('earnings.request')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
