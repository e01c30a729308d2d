import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { CircleAlert, Gauge } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../api'
import classes from '../../ui/layout/Banner.module.css'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { UNLIMITED, type Usage, usageQuery } from '../plans/queries'
import { isAtLeast } from '../workspaces/queries'
import { subscriptionQuery } from './queries'

/** Warns on every page of a workspace of a missing payment, or else of exceeded limits. */
export function BillingBanner({ workspace }: { workspace: Workspace }) {
  // The banner is on every page, also while the workspace is being deleted. A usage of a minute ago is new enough.
  const usage = useQuery({ ...usageQuery(workspace.slug), staleTime: 60_000 }).data
  if (!usage?.billing_enabled) return null
  if (usage.subscription_status === 'past_due') return <PastDueBanner workspace={workspace} />
  return <OverLimitBanner workspace={workspace} usage={usage} />
}

function PastDueBanner({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const format = useFormat(workspace.timezone)
  const subscription = useQuery(subscriptionQuery(workspace.slug)).data
  const isPaying = useRouterState({ select: ({ location }) => location.pathname.includes('/billing/checkouts/') })
  if (subscription?.status !== 'past_due' || !subscription.past_due_deadline) return null
  const isAdmin = isAtLeast(workspace, 'admin')
  const date = format.date(subscription.past_due_deadline)
  return (
    <section className={classes.banner} data-tone="missing" aria-label={t('subscription.banner.past_due_title')}>
      <CircleAlert size={20} aria-hidden="true" />
      <p>
        <strong>{t('subscription.banner.past_due_title')}</strong>{' '}
        {t(isAdmin ? 'subscription.banner.past_due' : 'subscription.banner.past_due_member', { date })}
      </p>
      {isAdmin && subscription.pay_url && !isPaying && (
        <Button component="a" href={subscription.pay_url} color="coral">
          {t('subscription.pay_now')}
        </Button>
      )}
    </section>
  )
}

function OverLimitBanner({ workspace, usage }: { workspace: Workspace; usage: Usage }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isChoosing = useRouterState({ select: ({ location }) => location.pathname.endsWith('/billing/plans') })
  const over = usage.meters.filter(({ used, limit }) => limit !== UNLIMITED && used > limit)
  if (over.length === 0 || isChoosing) return null
  const names = format.list(over.map(({ meter }) => t(`usage.meter.${meter}`)))
  return (
    <section className={classes.banner} data-tone="over" aria-label={t('subscription.banner.over_title')}>
      <Gauge size={20} aria-hidden="true" />
      <p>
        <strong>{t('subscription.banner.over_title')}</strong> {t('subscription.banner.over', { names })}
      </p>
      {isAtLeast(workspace, 'admin') && (
        <ButtonLink to="/w/$workspace/billing/plans" params={{ workspace: workspace.slug }} variant="default">
          {t('subscription.choose_plan')}
        </ButtonLink>
      )}
    </section>
  )
}
