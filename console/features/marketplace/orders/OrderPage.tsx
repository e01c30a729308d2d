import { Alert, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useWorkspaceFormat } from '../../billing/format'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { EarningFacts } from './EarningFacts'
import { OrderActions } from './OrderActions'
import { OrderContract } from './OrderContract'
import { OrderMessages } from './OrderMessages'
import { OrderReviews } from './OrderReviews'
import { OrderStatusBadge } from './OrderStatusBadge'
import { OrderTimes } from './OrderTimes'
import { dueTime, type Order, orderQuery, roleOf } from './order-queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/marketplace/orders/$order')
/** The other side may act at any time. */
const POLL_MS = 15_000

/** An order with everything that both sides do on it. */
export function OrderPage() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const order = useQuery({ ...orderQuery(slug, route.useParams().order), refetchInterval: POLL_MS })
  useDocumentTitle(order.data?.title ?? t('pages.orders'))
  if (order.error && !order.data) return <ProblemAlert error={order.error} onRetry={() => order.refetch()} />
  if (!order.data) return <LoadingSkeleton lines={2} height={240} />
  const { title, status } = order.data
  return (
    <>
      <PageHeader title={title} about={<OrderStatusBadge status={status} />}>
        <AnchorLink to="/w/$workspace/marketplace/orders" params={{ workspace: slug }}>
          {t('orders.back')}
        </AnchorLink>
      </PageHeader>
      <div className={classes.room}>
        <Stack>
          <NextStep order={order.data} />
          <OrderContract order={order.data} />
          <OrderReviews order={order.data} />
          <OrderMessages order={order.data} />
        </Stack>
        <OrderFacts order={order.data} />
      </div>
    </>
  )
}

function NextStep({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { id } = useWorkspace()
  const format = useWorkspaceFormat()
  const money = useMoney()
  const { status, proposal, dispute, dispute_until, cancel_reason, currency, actions } = order
  const isClosed = status === 'completed' || status === 'canceled' || status === 'expired'
  const isDisputed = dispute?.status === 'open'
  const due = dueTime(order)
  return (
    <Card component="section" aria-labelledby="next">
      <Stack>
        <Title order={2} size="h3" id="next">
          {t(isClosed && !isDisputed ? 'orders.result' : 'orders.next')}
        </Title>
        <Text>
          {t(`orders.step_${roleOf(order, id)}.${isClosed && isDisputed ? 'completed_disputed' : status}`)}
          {due && ` ${t('orders.until_sentence', { date: format.full(due) })}`}
          {isClosed &&
            dispute_until &&
            actions.includes('dispute') &&
            ` ${t('orders.dispute_until', { date: format.full(dispute_until) })}`}
        </Text>
        {cancel_reason && <Text className="text">{t('orders.cancel_reason', { reason: cancel_reason })}</Text>}
        {proposal?.status === 'open' && (
          <Alert
            color="iznik"
            icon={<Info size={18} />}
            title={t('orders.proposal', { amount: money(proposal.refund_amount, currency) })}
          >
            <Text inherit className="text">
              {proposal.reason}
            </Text>
            {t('orders.proposal_effect', { date: format.dateTime(proposal.expires_at) })}
          </Alert>
        )}
        {isDisputed && (
          <Alert color="coral" icon={<Info size={18} />} title={t('orders.dispute')}>
            <Text inherit className="text">
              {dispute.reason}
            </Text>
          </Alert>
        )}
        <OrderActions order={order} />
      </Stack>
    </Card>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { id } = useWorkspace()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const { price, currency, refund_amount, refund_status, buyer, seller } = order
  const isSeller = roleOf(order, id) === 'seller'
  return (
    <Card component="aside" aria-label={t('orders.facts')}>
      <FactList>
        <Fact name={t(isSeller ? 'orders.buyer' : 'orders.seller')}>
          {(isSeller ? buyer.workspace_name : seller.name) ?? t('orders.gone')}
        </Fact>
        <Fact name={t('orders.price')}>{money(price, currency)}</Fact>
        {isSeller && <EarningFacts order={order} name={t('orders.payout')} />}
        {refund_status && <Fact name={t(`orders.refund.${refund_status}`)}>{money(refund_amount, currency)}</Fact>}
        <OrderTimes order={order} hasPayout={isSeller && order.dispute?.status !== 'open'} format={format} />
      </FactList>
    </Card>
  )
}
