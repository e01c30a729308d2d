import { Alert, Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { brandQuery, isAtLeast, useWorkspace } from '../queries'
import { BrandForm } from './BrandForm'

export function BrandPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.brand'))
  const workspace = useWorkspace()
  const brand = useQuery(brandQuery(workspace.slug))
  const mayChange = isAtLeast(workspace, 'editor')
  return (
    <Box maw={820}>
      <PageHeader title={t('pages.brand')} about={t('brand.page_about')} />
      <Stack gap="lg">
        {!mayChange && (
          <Alert color="gray" icon={<Lock size={18} />}>
            {t('brand.read_only')}
          </Alert>
        )}
        {brand.error && !brand.data && <ProblemAlert error={brand.error} onRetry={() => brand.refetch()} />}
        {brand.isPending && <LoadingSkeleton lines={3} height={140} />}
        {brand.data && <BrandForm key={workspace.id} brand={brand.data} mayChange={mayChange} />}
      </Stack>
    </Box>
  )
}
