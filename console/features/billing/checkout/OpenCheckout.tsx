import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ExternalLink, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { CopyFact } from '../../../ui/copy/CopyFact'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import badge from '../../../ui/feedback/StatusBadge.module.css'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { transferReference, usePrice, useWorkspaceFormat } from '../format'
import { useOpenCheckout } from '../mutations'
import type { Checkout } from '../queries'
import { copied, transferLines } from './transfer-lines'

type Props = { checkout: Checkout; name: string }

/** Shows how to pay a checkout while Meydan waits for the payment. */
export function OpenCheckout({ checkout, name }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return (
    <Card>
      <Stack gap="lg">
        <CheckoutSummary checkout={checkout} name={name} />
        {checkout.kind === 'payment_request' ? (
          <TransferDetails checkout={checkout} />
        ) : checkout.kind === 'iframe' && checkout.url ? (
          <iframe className={classes.frame} src={checkout.url} title={t('subscription.checkout.frame')} />
        ) : (
          <PayButton checkout={checkout} />
        )}
        <Group justify="space-between" gap="sm">
          <Waiting
            text={t(
              checkout.kind === 'payment_request'
                ? 'subscription.checkout.waiting_admin'
                : 'subscription.checkout.waiting',
            )}
          />
          {checkout.purpose === 'start' && (
            <AnchorLink to="/w/$workspace/billing/plans" params={{ workspace: slug }}>
              {t('subscription.checkout.other_plan')}
            </AnchorLink>
          )}
          {checkout.order_id && (
            <AnchorLink
              to="/w/$workspace/marketplace/orders/$order"
              params={{ workspace: slug, order: checkout.order_id }}
            >
              {t('subscription.checkout.to_order')}
            </AnchorLink>
          )}
        </Group>
      </Stack>
    </Card>
  )
}

function Waiting({ text }: { text: string }) {
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <LoaderCircle size={18} className={badge.turning} style={{ flex: 'none' }} aria-hidden="true" />
      <Text c="dimmed">{text}</Text>
    </Group>
  )
}

function CheckoutSummary({ checkout, name }: Props) {
  const { t } = useTranslation()
  const money = useMoney()
  const price = usePrice()
  const { amount, currency, period, trial_days, purpose } = checkout
  return (
    <div>
      <Title order={2} className="text">
        {name}
      </Title>
      <FactList>
        <Fact name={t(`subscription.checkout.purpose.${purpose}`)}>{period && t(`subscription.period.${period}`)}</Fact>
        {trial_days > 0 && period && (
          <Fact name={t('subscription.checkout.after_trial', { count: trial_days })}>
            {price({ amount, currency, period })}
          </Fact>
        )}
        <Fact name={t('subscription.checkout.due')} isTotal>
          {money(trial_days > 0 ? 0 : amount, currency)}
        </Fact>
      </FactList>
    </div>
  )
}

/** Leads to the page of the provider. A renewal has none until it is opened there. */
function PayButton({ checkout }: { checkout: Checkout }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const go = useOpenCheckout()
  const once = useIdempotencyKey()
  const open = useMutation({
    mutationFn: () =>
      once(checkout.id, (headers) =>
        unwrap(
          workspaceApi(slug).POST('/api/v1/billing/checkouts/{id}/open', {
            params: { path: { id: checkout.id } },
            headers,
          }),
        ),
      ),
    onSuccess: go,
  })
  const leave = () => (checkout.url ? location.assign(checkout.url) : open.mutate())
  return (
    <div>
      {open.error && <ProblemAlert error={open.error} />}
      <Text mb="sm">{t('subscription.checkout.leave')}</Text>
      <Button rightSection={<ExternalLink size={16} />} loading={open.isPending} onClick={leave}>
        {t('subscription.checkout.pay')}
      </Button>
    </div>
  )
}

function TransferDetails({ checkout }: { checkout: Checkout }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const { id, amount, currency, instructions, expires_at, order_id } = checkout
  const lines = transferLines(instructions ?? '')
  return (
    <Stack>
      <Text>
        {t(order_id ? 'subscription.checkout.transfer_order' : 'subscription.checkout.transfer', {
          amount: money(amount, currency),
          date: format.date(expires_at),
        })}
      </Text>
      {instructions === null && <Text>{t('subscription.checkout.no_instructions')}</Text>}
      {lines.map((line) => 'text' in line && <Text key={line.text}>{line.text}</Text>)}
      <FactList>
        {lines.map(
          (line) =>
            'name' in line && (
              <CopyFact key={line.value} name={line.name} text={copied(line.value)} shown={line.value} />
            ),
        )}
        <CopyFact
          name={t('subscription.checkout.amount')}
          text={format.number(amount)}
          shown={money(amount, currency)}
        />
        <CopyFact name={t('subscription.checkout.reference')} text={transferReference(id)} />
      </FactList>
    </Stack>
  )
}
