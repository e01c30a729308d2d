import { Title, VisuallyHidden } from '@mantine/core'
import { Check, Minus } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAmount } from '../format'
import { entitlements, meters, type PublicPlan } from '../queries'
import classes from './Pricing.module.css'

/** Compares the plans line by line. On a phone, the name of a line is above its values. */
export function PlanComparison({ plans }: { plans: PublicPlan[] }) {
  const { t } = useTranslation()
  const amount = useAmount()
  const has = (yes: boolean) => (
    <>
      {yes ? <Check size={18} aria-hidden="true" /> : <Minus size={18} aria-hidden="true" />}
      <VisuallyHidden>{t(yes ? 'pricing.yes' : 'pricing.no')}</VisuallyHidden>
    </>
  )
  const line = (name: string, about: string, cellOf: (plan: PublicPlan) => ReactNode) => (
    <tr key={name}>
      <th scope="row">
        {name}
        <small>{about}</small>
      </th>
      {plans.map((plan) => (
        <td key={plan.code} data-featured={plan.is_featured || undefined}>
          {cellOf(plan)}
        </td>
      ))}
    </tr>
  )
  return (
    <div className={classes.comparison}>
      <Title order={2} id="comparison" ta="center" mb="lg">
        {t('pricing.comparison')}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many plans are wider than the page, and keys scroll them */}
      <section className={classes.scroll} tabIndex={0} aria-labelledby="comparison">
        <table
          className={classes.table}
          aria-labelledby="comparison"
          style={{ '--plans': plans.length } as CSSProperties}
        >
          <thead>
            <tr>
              <td />
              {plans.map(({ code, name, is_featured }) => (
                <th key={code} scope="col" data-featured={is_featured || undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {meters.map((meter) =>
              line(t(`pricing.line.${meter}`), t(`pricing.about_limit.${meter}`), ({ limits }) =>
                limits[meter] === 0 ? has(false) : amount(meter, limits[meter]),
              ),
            )}
            {entitlements.map((entitlement) =>
              line(t(`pricing.entitlement.${entitlement}`), t(`pricing.about_entitlement.${entitlement}`), (plan) =>
                has(plan.entitlements.includes(entitlement)),
              ),
            )}
          </tbody>
        </table>
      </section>
    </div>
  )
}
