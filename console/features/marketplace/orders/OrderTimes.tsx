import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/layout/FactList'
import type { useFormat } from '../../../ui/text/format'
import type { Order } from './order-queries'

const times = [
  'created_at',
  'paid_at',
  'accepted_at',
  'delivered_at',
  'completed_at',
  'canceled_at',
  'clears_at',
] as const

/** The times of what happened to an order, for a list of facts. `hasPayout`: with that of the seller's earnings. */
export function OrderTimes({
  order,
  hasPayout = true,
  format,
}: {
  order: Pick<Order, (typeof times)[number]>
  hasPayout?: boolean
  format: ReturnType<typeof useFormat>
}) {
  const { t } = useTranslation()
  return times.map((name) => {
    const at = !hasPayout && name === 'clears_at' ? null : order[name]
    return (
      at && (
        <Fact key={name} name={t(`orders.time.${name}`)}>
          <time dateTime={at} title={format.full(at)}>
            {format.dateTime(at)}
          </time>
        </Fact>
      )
    )
  })
}
