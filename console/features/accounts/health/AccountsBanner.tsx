import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../../api'
import classes from '../../../ui/layout/Banner.module.css'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { postCountsQuery } from '../../posts/queries'

const MAX_COUNTED = 100

/** Warns on every page of a workspace of scheduled posts that wait for disconnected accounts. */
export function AccountsBanner({ workspace: { slug } }: { workspace: Workspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isShown = useRouterState({ select: ({ location }) => location.pathname.endsWith('/accounts/health') })
  // The route of the workspace loads it first, so that the banner is there with the page.
  const count =
    useQuery({
      ...postCountsQuery(slug),
      enabled: ({ state }) => state.data !== undefined,
      staleTime: 60_000,
    }).data?.blocked ?? 0
  if (count === 0 || isShown) return null
  const number = `${format.number(count)}${count === MAX_COUNTED ? '+' : ''}`
  return (
    <section className={classes.banner} data-tone="missing" aria-label={t('accounts.health.banner_title')}>
      <Unplug size={20} aria-hidden="true" />
      <p>
        <strong>{t('accounts.health.banner_title')}</strong> {t('accounts.health.banner', { count, number })}
      </p>
      <ButtonLink to="/w/$workspace/accounts/health" params={{ workspace: slug }} variant="default">
        {t('accounts.health.title')}
      </ButtonLink>
    </section>
  )
}
