import { Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { useMoney } from '../../plans/format'
import classes from '../marketplace.module.css'
import { DeliveredPosts } from '../orders/DeliveredPosts'
import { EarningFacts } from '../orders/EarningFacts'
import { OrderTimes } from '../orders/OrderTimes'
import { type Dispute, disputeQuery } from './admin-queries'
import { DisputeMessages } from './DisputeMessages'
import { DisputeBadge } from './DisputesPage'
import { ResolveDispute, restOf } from './ResolveDispute'

const route = getRouteApi('/signed-in/shell/admin/marketplace/disputes/$dispute')
/** The sides may write at any time. */
const POLL_MS = 15_000

/** A dispute with what both sides said and delivered, and its decision. */
export function DisputePage() {
  const { t } = useTranslation()
  const dispute = useQuery({ ...disputeQuery(route.useParams().dispute), refetchInterval: POLL_MS })
  useDocumentTitle(dispute.data?.order.title ?? t('pages.disputes'))
  if (dispute.error && !dispute.data) return <ProblemAlert error={dispute.error} onRetry={() => dispute.refetch()} />
  if (!dispute.data) return <LoadingSkeleton lines={2} height={240} />
  const { order, status } = dispute.data
  return (
    <>
      <PageHeader title={order.title} about={<DisputeBadge status={status} />}>
        <AnchorLink to="/admin/marketplace/disputes">{t('admin.marketplace.all_disputes')}</AnchorLink>
      </PageHeader>
      <div className={classes.room}>
        <Stack>
          <Reason dispute={dispute.data} />
          {status === 'open' ? <ResolveDispute dispute={dispute.data} /> : <Decision dispute={dispute.data} />}
          <Work dispute={dispute.data} />
          <DisputeMessages dispute={dispute.data} />
        </Stack>
        <DisputeFacts dispute={dispute.data} />
      </div>
    </>
  )
}

function Reason({ dispute: { opened_by, reason, created_at } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <Card component="section" aria-labelledby="reason">
      <Title order={2} size="h3" id="reason">
        {t('orders.label.dispute')}
      </Title>
      <Text fz="sm" c="dimmed">
        {t('admin.marketplace.opened_by', { side: t(`orders.side_of.${opened_by}`) })} · {format.dateTime(created_at)}
      </Text>
      <Text className={classes.message} mt="xs">
        {reason}
      </Text>
    </Card>
  )
}

function Decision({ dispute: { status, refund_amount, note, order, ended_at } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  // Nothing was decided when all of the price went back before.
  const refunded = refund_amount ?? order.refund_amount
  return (
    <Card component="section" aria-labelledby="decision">
      <Title order={2} size="h3" id="decision">
        {t('admin.marketplace.decision')}
      </Title>
      {ended_at && (
        <Text fz="sm" c="dimmed">
          {format.dateTime(ended_at)}
        </Text>
      )}
      <Text mt="xs">
        {status === 'withdrawn'
          ? t('admin.marketplace.withdrawn_detail')
          : t('admin.marketplace.split', {
              refund: money(refunded, order.currency),
              rest: money(restOf(order.price, refunded), order.currency),
            })}
      </Text>
      {note && (
        <Text className={classes.message} mt="xs">
          {note}
        </Text>
      )}
    </Card>
  )
}

/** The requirements of the buyer, and every delivery of the seller. */
function Work({ dispute: { order, deliveries, status } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <Card component="section" aria-label={t('orders.contract')}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {t('orders.requirements')}
          </Title>
          {order.requirements ? (
            <Text className={classes.message}>{order.requirements}</Text>
          ) : (
            <Text c="dimmed">{t('admin.marketplace.no_requirements')}</Text>
          )}
        </div>
        {deliveries.length === 0 && <Text c="dimmed">{t('admin.marketplace.no_deliveries')}</Text>}
        {deliveries.map(({ number, posts, notes, created_at }) => (
          <div key={number}>
            <Title order={2} size="h4">
              {t('admin.marketplace.delivery', { number })}
            </Title>
            <Text fz="sm" c="dimmed">
              {format.dateTime(created_at)}
            </Text>
            <DeliveredPosts posts={posts} hasFiles={status === 'open'} />
            {notes && <Text className={classes.message}>{notes}</Text>}
          </div>
        ))}
        <Text fz="sm" c="dimmed">
          {t('orders.revisions', { used: order.revisions_used, allowed: order.revisions_allowed })}
        </Text>
      </Stack>
    </Card>
  )
}

function DisputeFacts({ dispute: { order, status } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const { price, currency, buyer, seller, due_at } = order
  return (
    <Card component="aside" aria-label={t('orders.facts')}>
      <FactList>
        <Fact name={t('orders.buyer')}>{buyer.workspace_name ?? t('orders.gone')}</Fact>
        <Fact name={t('orders.seller')}>{seller.name ?? t('orders.gone')}</Fact>
        <Fact name={t('orders.price')}>{money(price, currency)}</Fact>
        <EarningFacts order={order} name={t('admin.marketplace.seller_part')} />
        {due_at && <Fact name={t('admin.marketplace.due')}>{format.dateTime(due_at)}</Fact>}
        <OrderTimes order={order} hasPayout={status !== 'open'} format={format} />
      </FactList>
    </Card>
  )
}
