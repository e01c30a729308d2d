import { Card } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { languageOf } from '../../../i18n'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { NetworkAppRow } from './NetworkAppRow'
import { callsOfInstance, networkAppsQuery } from './queries'

/** The apps that an operator registers at networks, so that members can sign in there. */
export function NetworkAppsPage() {
  const { t, i18n } = useTranslation()
  useDocumentTitle(t('pages.network_apps'))
  const apps = useQuery(networkAppsQuery(languageOf(i18n.language)))
  return (
    <>
      <PageHeader title={t('pages.network_apps')} about={t('network_apps.about')} />
      {apps.error && <ProblemAlert error={apps.error} onRetry={() => void apps.refetch()} />}
      {apps.isPending && <LoadingSkeleton lines={6} height={64} />}
      {apps.data && (
        <Card padding={0}>
          {apps.data.map((app) => (
            <NetworkAppRow key={app.network} app={app} calls={callsOfInstance} />
          ))}
        </Card>
      )}
    </>
  )
}
