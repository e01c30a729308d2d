import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { ArchiveRestore } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../ui/layout/Banner.module.css'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import { holdQuery } from './queries'

/** Tells instance admins on every page that the installation was restored, and that nothing goes out. */
export function HoldBanner() {
  const { t } = useTranslation()
  const me = useMe()
  const format = useFormat(me.timezone)
  const hold = useQuery({ ...holdQuery, enabled: me.is_instance_admin }).data
  const isOpen = useRouterState({ select: ({ location }) => location.pathname === '/admin/hold' })
  if (!hold?.held || !hold.data_until || isOpen) return null
  return (
    <section className={classes.banner} data-tone="missing" aria-label={t('hold.title')}>
      <ArchiveRestore size={20} aria-hidden="true" />
      <p>
        <strong>{t('hold.title')}</strong> {t('hold.about', { time: format.full(hold.data_until) })}
      </p>
      <ButtonLink to="/admin/hold">{t('hold.look')}</ButtonLink>
    </section>
  )
}
