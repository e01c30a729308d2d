import { Alert, Text, VisuallyHidden } from '@mantine/core'
import { Minus, Plus, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/text/format'
import { useAmount } from '../plans/format'
import type { PublicPlan, Usage } from '../plans/queries'
import classes from './Billing.module.css'
import { metersOver, usePlanChanges } from './plan-changes'

/** Lists the changes of another plan, and the meters that would be over its limits. */
export function PlanChangeList({ from, to, usage }: { from: PublicPlan; to: PublicPlan; usage: Usage }) {
  const { t } = useTranslation()
  const amount = useAmount()
  const format = useFormat()
  const changes = usePlanChanges()(from, to)
  const over = metersOver(to, usage)
  return (
    <>
      {changes.length > 0 && (
        <div>
          <Text fw={600} mb={6}>
            {t('subscription.change.title')}
          </Text>
          <ul className={classes.changes}>
            {changes.map(({ change, text }) => (
              <li key={text} data-change={change}>
                {change === 'more' ? <Plus size={17} aria-hidden="true" /> : <Minus size={17} aria-hidden="true" />}
                <span>
                  <VisuallyHidden>{t(`subscription.change.${change}`)} </VisuallyHidden>
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {over.length > 0 && (
        <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('subscription.change.over_title')}>
          {t('subscription.change.over', {
            names: format.list(
              over.map(({ meter, used }) =>
                t('subscription.change.over_one', {
                  name: t(`usage.meter.${meter}`),
                  used: amount(meter, used),
                  limit: amount(meter, to.limits[meter]),
                }),
              ),
            ),
          })}
        </Alert>
      )}
    </>
  )
}
