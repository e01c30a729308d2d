import { Card, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Archive, Plus, Store } from 'lucide-react'
import { useState } from 'react'
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
  const [archived, setArchived] = useState(false)
  const gigs = useQuery({ ...gigsQuery(workspace.slug, archived), enabled: isAdmin })
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
        {maySell && gigs.data && (archived || gigs.data.length > 0) && add}
      </PageHeader>
      <SegmentedControl
        mb="md"
        aria-label={t('gigs.shown')}
        value={archived ? 'archived' : 'current'}
        onChange={(shown) => setArchived(shown === 'archived')}
        data={(['current', 'archived'] as const).map((value) => ({ value, label: t(`gigs.${value}`) }))}
      />
      {gigs.error && <ProblemAlert error={gigs.error} onRetry={() => gigs.refetch()} />}
      {gigs.isPending && <LoadingSkeleton lines={3} height={100} />}
      {maySell === false && <SellingUpgrade />}
      {archived && gigs.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Archive size={26} />} title={t('gigs.none_archived')}>
            {t('gigs.none_archived_detail')}
          </EmptyState>
        </Card>
      )}
      {maySell && !archived && gigs.data?.length === 0 && (
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
