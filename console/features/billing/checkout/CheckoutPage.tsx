import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { plansQuery } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { type Checkout, checkoutQuery, invalidateBilling } from '../queries'
import { ClosedCheckout } from './ClosedCheckout'
import { OpenCheckout } from './OpenCheckout'

const route = getRouteApi('/signed-in/shell/w/$workspace/billing/checkouts/$checkout')

/** Milliseconds until the next poll, more after each. A payment request takes days. */
const pollMs = ({ kind }: Checkout, polls: number) =>
  Math.min(kind === 'payment_request' ? 30_000 : 10_000, 1500 * 1.25 ** polls)

/** The page to which a payer returns: it shows the state of a checkout until it is decided. */
export function CheckoutPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('subscription.checkout.title'))
  const { slug, ...workspace } = useWorkspace()
  const id = route.useParams().checkout
  const isAdmin = isAtLeast({ slug, ...workspace }, 'admin')
  const checkout = useQuery({
    ...checkoutQuery(slug, id),
    enabled: isAdmin,
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => data?.status === 'open' && pollMs(data, dataUpdateCount),
  })
  const plan = useQuery({ ...plansQuery, enabled: isAdmin }).data?.find(({ code }) => code === checkout.data?.plan_code)
  const name = checkout.data?.description ?? plan?.name ?? checkout.data?.plan_code ?? ''
  const status = checkout.data?.status
  useEffect(() => {
    if (status && status !== 'open') void invalidateBilling(slug)
  }, [status, slug])
  if (!isAdmin) return <RoleRequired needs="admin" />
  return (
    <div className={classes.narrow}>
      <PageHeader title={t('subscription.checkout.title')} />
      {checkout.error && !checkout.data && <ProblemAlert error={checkout.error} onRetry={() => checkout.refetch()} />}
      {checkout.isPending && <LoadingSkeleton lines={1} height={280} />}
      {checkout.data &&
        (checkout.data.status === 'open' ? (
          <OpenCheckout checkout={checkout.data} name={name} />
        ) : (
          <ClosedCheckout checkout={checkout.data} name={name} />
        ))}
    </div>
  )
}
