import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import classes from '../ai.module.css'
import { KeyBadge } from '../KeyBadge'
import { KeyActions } from '../KeyDialog'
import { providerName } from '../provider-info'
import { type AiModel, modelQuery } from '../queries'
import { ActiveSwitch, DeleteModel } from './ModelActions'
import { ModelForm } from './ModelForm'
import { TestPrompt } from './TestModel'

const route = getRouteApi('/signed-in/shell/admin/ai-models/$model')

export function NewModelPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('admin.models.new'))
  return (
    <>
      <BackToModels />
      <PageHeader title={t('admin.models.new')} about={t('admin.models.new_about')} />
      <ModelForm />
    </>
  )
}

/** One model: its name, its key, and a test call. */
export function ModelPage() {
  const { t } = useTranslation()
  const { model: id } = route.useParams()
  // The form starts with current values, not with cached ones.
  const model = useQuery({ ...modelQuery(id), staleTime: 0 })
  useDocumentTitle(model.data?.record.name ?? t('pages.ai_models'))
  if (isStatus(model.error, 404) || isStatus(model.error, 400)) return <NotFoundPage />
  if (model.error && !model.data) return <ProblemAlert error={model.error} onRetry={() => model.refetch()} />
  if (!model.data || !model.isFetchedAfterMount) return <LoadingSkeleton lines={3} height={160} />
  return <ModelDetails key={id} model={model.data} />
}

function ModelDetails({ model }: { model: { record: AiModel; etag: string } }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const navigate = useNavigate()
  const [changed, setChanged] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const { record } = model
  const { id, name, model_key, provider, created_at } = record
  return (
    <>
      <BackToModels />
      <PageHeader
        title={name}
        about={
          <>
            {providerName(t, provider)} · <span className={classes.modelKey}>{model_key}</span>
          </>
        }
      >
        <ActiveSwitch model={record} labelled />
      </PageHeader>
      <div className={classes.page}>
        <ModelForm model={model} onChanged={setChanged} />
        <Stack gap="lg">
          <ModelSection id="key" title={t('admin.models.key')}>
            <KeyBadge model={record} />
            <KeyActions model={record} />
          </ModelSection>
          <ModelSection id="test" title={t('admin.models.test_title')}>
            {changed && (
              <Text fz="sm" role="status">
                {t('admin.models.test_saved')}
              </Text>
            )}
            <TestPrompt model={record} />
          </ModelSection>
          <Group justify="space-between" gap="sm">
            <Text c="dimmed" fz="sm">
              {t('admin.models.since', { id, date: format.date(created_at) })}
            </Text>
            <Button
              variant="subtle"
              color="coral"
              c="var(--mantine-color-error)"
              leftSection={<Trash2 size={16} />}
              onClick={() => setDeleting(true)}
            >
              {t('admin.models.delete')}
            </Button>
          </Group>
        </Stack>
      </div>
      <DeleteModel
        model={record}
        opened={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate({ to: '/admin/ai-models', ignoreBlocker: true })}
      />
    </>
  )
}

const ModelSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <Card component="section" aria-labelledby={id}>
    <Title order={2} size="h3" id={id} mb="sm">
      {title}
    </Title>
    <Stack gap="md">{children}</Stack>
  </Card>
)

function BackToModels() {
  const { t } = useTranslation()
  return <BackLink to="/admin/ai-models">{t('admin.models.back')}</BackLink>
}
