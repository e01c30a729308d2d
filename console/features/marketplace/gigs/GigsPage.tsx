import { Card } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, Store } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { gigsQuery } from '../queries'
import { SellingUpgrade, useMaySell } from '../SellingUpgrade'
import { GigRow } from './GigRow'

/** The user's own gigs. */
export function GigsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.gigs'))
  const workspace = useWorkspace()
  const isAdmin = isAtLeast(workspace, 'admin')
  const gigs = useQuery({ ...gigsQuery(workspace.slug), enabled: isAdmin })
  const maySell = useMaySell()
  if (!isAdmin) return <RoleRequired needs="admin" />
  const add = (
    <ButtonLink
      to="/w/$workspace/marketplace/gigs/new"
      params={{ workspace: workspace.slug }}
      leftSection={<Plus size={17} />}
    >
      {t('gigs.new')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={t('pages.gigs')} about={t('gigs.about')}>
        {maySell && gigs.data && gigs.data.length > 0 && add}
      </PageHeader>
      {gigs.error && <ProblemAlert error={gigs.error} onRetry={() => gigs.refetch()} />}
      {gigs.isPending && <LoadingSkeleton lines={3} height={100} />}
      {maySell === false && <SellingUpgrade />}
      {maySell && gigs.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Store size={26} />} title={t('gigs.none')} action={add}>
            {t('gigs.none_detail')}
          </EmptyState>
        </Card>
      )}
      {gigs.data && gigs.data.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-label={t('pages.gigs')}>
            {gigs.data.map((gig) => (
              <GigRow key={gig.id} gig={gig} maySell={maySell === true} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
