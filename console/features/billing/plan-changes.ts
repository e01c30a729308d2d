import { useTranslation } from 'react-i18next'
import { useAmount } from '../plans/format'
import { entitlements, meters, type PublicPlan, UNLIMITED, type Usage } from '../plans/queries'

type PlanChange = { change: 'more' | 'less'; text: string }
type Content = Pick<PublicPlan, 'limits' | 'entitlements'>

const isMore = (limit: number, than: number) => than !== UNLIMITED && (limit === UNLIMITED || limit > than)

/** Compares two plans: lists what a workspace loses and gains, the losses first. */
export function usePlanChanges() {
  const { t } = useTranslation()
  const amount = useAmount()
  return (from: Content, to: Content): PlanChange[] => {
    const limits = meters
      .filter((meter) => from.limits[meter] !== to.limits[meter])
      .map(
        (meter): PlanChange => ({
          change: isMore(to.limits[meter], from.limits[meter]) ? 'more' : 'less',
          text: t('subscription.change.limit', {
            name: t(`pricing.line.${meter}`),
            from: amount(meter, from.limits[meter]),
            to: amount(meter, to.limits[meter]),
          }),
        }),
      )
    const features = entitlements
      .filter((one) => from.entitlements.includes(one) !== to.entitlements.includes(one))
      .map((one): PlanChange => {
        const change = to.entitlements.includes(one) ? 'more' : 'less'
        return { change, text: t(`subscription.change.feature_${change}`, { name: t(`pricing.entitlement.${one}`) }) }
      })
    return [...limits, ...features].sort((a, b) => Number(a.change === 'more') - Number(b.change === 'more'))
  }
}

/** The meters whose usage is over the limits of a plan. Monthly ones are left out, because they begin again. */
export const metersOver = ({ limits }: Content, { meters: used }: Usage) =>
  used.filter(
    (use) =>
      use.meter !== 'posts_per_month' &&
      use.meter !== 'ai_credits' &&
      limits[use.meter] !== UNLIMITED &&
      use.used > limits[use.meter],
  )
