import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/layout/FactList'
import { useMoney } from '../../plans/format'
import type { Order } from './order-queries'

type Amounts = Pick<Order, 'status' | 'price' | 'refund_amount' | 'seller_payout' | 'earned' | 'currency'>

/** The fee for what is left of the price. Rounded, since differences of decimals are not exact. */
const feeOf = ({ status, price, refund_amount, earned }: Amounts) =>
  status === 'canceled' || status === 'expired' ? 0 : Math.round((price - refund_amount - earned) * 100) / 100

/** The fee of an order, and what its seller gets. `name`: the label of the latter. */
export function EarningFacts({ order, name }: { order: Amounts; name: string }) {
  const { t } = useTranslation()
  const money = useMoney()
  const { earned, seller_payout, currency } = order
  const amounts = { earned: money(earned, currency), agreed: money(seller_payout, currency) }
  return (
    <>
      <Fact name={t('orders.fee')}>{money(feeOf(order), currency)}</Fact>
      <Fact name={name}>{earned === seller_payout ? amounts.earned : t('orders.earned_of', amounts)}</Fact>
    </>
  )
}
