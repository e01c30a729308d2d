import { Alert, Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { UsageSection } from '../../plans/usage/UsageSection'
import { ApprovalSettings } from '../../posts/review/ApprovalSettings'
import { DeletedWorkspaces } from '../DeletedWorkspaces'
import { isAtLeast, settingsQuery, useWorkspace } from '../queries'
import { DeleteWorkspace } from './DeleteWorkspace'
import { SettingsForm } from './SettingsForm'

export function SettingsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.settings'))
  const workspace = useWorkspace()
  const settings = useQuery(settingsQuery(workspace.slug))
  const mayChange = isAtLeast(workspace, 'admin')
  return (
    <Box maw={820}>
      <PageHeader title={t('pages.settings')} about={t('settings.about')} />
      <Stack gap="lg">
        {!mayChange && (
          <Alert color="gray" icon={<Lock size={18} />}>
            <Text>{t('settings.read_only')}</Text>
          </Alert>
        )}
        {settings.error && !settings.data && <ProblemAlert error={settings.error} onRetry={() => settings.refetch()} />}
        {settings.isPending && <LoadingSkeleton lines={3} height={140} />}
        {settings.data && <SettingsForm key={workspace.id} settings={settings.data} mayChange={mayChange} />}
        {mayChange && <ApprovalSettings />}
        <UsageSection />
        {isAtLeast(workspace, 'owner') && <DeleteWorkspace />}
        <DeletedWorkspaces />
      </Stack>
    </Box>
  )
}
