import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { useFormat } from '../../ui/format'
import { NotFoundScreen, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { useMe } from '../auth/queries'
import classes from './ai.module.css'
import { KeyActs } from './KeyDialog'
import { KeySign } from './KeySign'
import { ActiveSwitch, DeleteModel } from './ModelActs'
import { ModelForm } from './ModelForm'
import { type AiModel, modelQuery } from './queries'
import { Asking } from './TestModel'
import { vendorName } from './vendors'

const route = getRouteApi('/inside/shell/admin/ai-models/$model')

export function NewModelPage() {
  const { t } = useTranslation()
  useTitle(t('desk.models.new'))
  return (
    <>
      <Back />
      <PageHead title={t('desk.models.new')} about={t('desk.models.new_about')} />
      <ModelForm />
    </>
  )
}

/** One model: how it is called, whose key it takes, and whether it answers. */
export function ModelPage() {
  const { t } = useTranslation()
  const { model: id } = route.useParams()
  // A form is filled with what is there now, not with what was read a while ago.
  const model = useQuery({ ...modelQuery(id), staleTime: 0 })
  useTitle(model.data?.record.name ?? t('rooms.ai_models'))
  if (isStatus(model.error, 404) || isStatus(model.error, 400)) return <NotFoundScreen />
  if (model.error && !model.data) return <Problem error={model.error} onRetry={() => model.refetch()} />
  if (!model.data || !model.isFetchedAfterMount) return <Waiting lines={3} height={160} />
  return <OneModel key={id} model={model.data} />
}

function OneModel({ model }: { model: { record: AiModel; etag: string } }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const navigate = useNavigate()
  const [changed, setChanged] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const { record } = model
  const { id, name, model_key, provider, created_at } = record
  return (
    <>
      <Back />
      <PageHead
        title={name}
        about={
          <>
            {vendorName(t, provider)} · <span className={classes.modelKey}>{model_key}</span>
          </>
        }
      >
        <ActiveSwitch model={record} labelled />
      </PageHead>
      <div className={classes.page}>
        <ModelForm model={model} onChanged={setChanged} />
        <Stack gap="lg">
          <Part id="key" title={t('desk.models.key')}>
            <KeySign model={record} />
            <KeyActs model={record} />
          </Part>
          <Part id="test" title={t('desk.models.test_title')}>
            {changed && (
              <Text fz="sm" role="status">
                {t('desk.models.test_saved')}
              </Text>
            )}
            <Asking model={record} />
          </Part>
          <Group justify="space-between" gap="sm">
            <Text c="dimmed" fz="sm">
              {t('desk.models.since', { id, date: format.date(created_at) })}
            </Text>
            <Button
              variant="subtle"
              color="coral"
              c="var(--mantine-color-error)"
              leftSection={<Trash2 size={16} />}
              onClick={() => setDeleting(true)}
            >
              {t('desk.models.delete')}
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

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <Card component="section" aria-labelledby={id}>
    <Title order={2} size="h3" id={id} mb="sm">
      {title}
    </Title>
    <Stack gap="md">{children}</Stack>
  </Card>
)

function Back() {
  const { t } = useTranslation()
  return (
    <Anchor fz="sm" mb={6} display="inline-block" renderRoot={(props) => <Link to="/admin/ai-models" {...props} />}>
      ‹ {t('desk.models.back')}
    </Anchor>
  )
}
