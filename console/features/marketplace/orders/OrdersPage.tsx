import { Anchor, Badge, Card, Group, SegmentedControl, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CountBadge } from '../../../ui/feedback/CountBadge'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useWorkspaceFormat } from '../../billing/format'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { OrderStatusBadge } from './OrderStatusBadge'
import { dueTime, firstSide, type Order, type OrderRole, orderCountsQuery, ordersQuery } from './order-queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/marketplace/orders')

/** The orders of the workspace as a buyer, or those of the user as a seller. */
export function OrdersPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.orders'))
  const { slug } = useWorkspace()
  const { role: chosen } = route.useSearch()
  const { data: counts, isPending } = useQuery(orderCountsQuery(slug))
  // Stays when the counts change: the user may be reading.
  const [first, setFirst] = useState<OrderRole>()
  if (first === undefined && !isPending) setFirst(counts ? firstSide(counts) : 'buyer')
  const role = chosen ?? first ?? 'buyer'
  const navigate = route.useNavigate()
  const orders = useInfiniteQuery({ ...ordersQuery(slug, role), enabled: (chosen ?? first) !== undefined })
  const rows = orders.data?.pages.flatMap(({ data }) => data) ?? []
  const side = (name: 'buying' | 'selling', waiting = 0) => (
    <Group gap={6} wrap="nowrap" justify="center">
      {t(`orders.${name}`)}
      <CountBadge count={waiting} label={t('orders.waiting', { count: waiting })} />
    </Group>
  )
  return (
    <>
      <PageHeader title={t('pages.orders')} about={t('orders.about')}>
        <SegmentedControl
          aria-label={t('orders.side')}
          value={role}
          onChange={(value) => void navigate({ search: { role: value as OrderRole }, replace: true })}
          data={[
            { value: 'buyer', label: side('buying', counts?.buyer.waiting) },
            { value: 'seller', label: side('selling', counts?.seller.waiting) },
          ]}
        />
      </PageHeader>
      {orders.error && <ProblemAlert error={orders.error} onRetry={() => orders.refetch()} />}
      {orders.isPending && <LoadingSkeleton lines={3} height={80} />}
      {orders.data && rows.length === 0 && <NoOrders role={role} />}
      {rows.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-label={t('pages.orders')}>
            {rows.map((order) => (
              <OrderRow key={order.id} order={order} role={role} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={orders} />
    </>
  )
}

function NoOrders({ role }: { role: OrderRole }) {
  const { t } = useTranslation()
  return (
    <Card padding={0}>
      <EmptyState icon={<ShoppingBag size={26} />} title={t(`orders.none_${role}`)}>
        {t(`orders.none_${role}_detail`)}{' '}
        {role === 'buyer' && <Anchor href="/marketplace">{t('orders.to_marketplace')}</Anchor>}
      </EmptyState>
    </Card>
  )
}

function OrderRow({ order, role }: { order: Order; role: OrderRole }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const { id, title, status, price, currency, buyer, seller, created_at, unread_messages } = order
  const due = dueTime(order)
  const other = role === 'buyer' ? seller.name : buyer.workspace_name
  return (
    <li className={classes.order}>
      <div>
        <div className={classes.head}>
          <Link
            to="/w/$workspace/marketplace/orders/$order"
            params={{ workspace: slug, order: id }}
            className={classes.title}
          >
            {title}
          </Link>
          <OrderStatusBadge status={status} />
          {unread_messages > 0 && <Badge>{t('orders.unread', { count: unread_messages })}</Badge>}
        </div>
        <Text fz="sm" c="dimmed" className="text">
          {other ?? t('orders.gone')} · {money(price, currency)} · {format.date(created_at)}
        </Text>
      </div>
      {due && (
        <Text fz="sm" c="dimmed" title={format.full(due)}>
          {t('orders.until', { date: format.dateTime(due) })}
        </Text>
      )}
    </li>
  )
}
