import { Button, Card, Checkbox, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { translateDynamic } from '../../../i18n'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { ComparedText } from '../../../ui/text/ComparedText'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../catalog.module.css'
import { useFieldName } from '../fields'
import { useUpdateFromRecipe } from '../mutations'
import { type RecipeDiff, type RecipeDifference, recipeDiffQuery } from '../queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/agents/$agent/recipe-update')

/** Compares an installed agent with the newest version of its recipe, and takes the chosen fields. */
export function RecipeUpdatePage() {
  const { t } = useTranslation()
  useDocumentTitle(t('catalog.update_title'))
  const workspace = useWorkspace()
  const { agent } = route.useParams()
  // Choices are for the differences shown: others are not loaded while the page is open.
  const diff = useQuery({ ...recipeDiffQuery(workspace.slug, agent), refetchOnWindowFocus: false })
  if (!isAtLeast(workspace, 'editor')) return <RoleRequired needs="editor" />
  if (isStatus(diff.error, 404) || isStatus(diff.error, 400)) return <NotFoundPage />
  const back = (
    <ButtonLink variant="default" to="/w/$workspace/agents/$agent" params={{ workspace: workspace.slug, agent }}>
      {t('catalog.to_agent')}
    </ButtonLink>
  )
  const shown = diff.data?.record
  const isNewer = shown && shown.latest_version > shown.installed_version
  return (
    <>
      <PageHeader title={t('catalog.update_title')} about={isNewer && t('catalog.update_about')} />
      {diff.error && <ProblemAlert error={diff.error} onRetry={() => diff.refetch()} />}
      {!diff.isFetchedAfterMount && !diff.error && <LoadingSkeleton lines={3} height={120} />}
      {diff.isFetchedAfterMount && diff.data && !isNewer && (
        <Card padding={0}>
          <EmptyState icon={<CircleCheck size={26} />} title={t('catalog.up_to_date')} action={back} />
        </Card>
      )}
      {diff.isFetchedAfterMount && diff.data && isNewer && (
        <UpdateForm key={diff.data.etag} agent={agent} diff={diff.data.record} etag={diff.data.etag} />
      )}
    </>
  )
}

function UpdateForm({ agent, diff, etag }: { agent: string; diff: RecipeDiff; etag: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const { installed_version, latest_version, fields } = diff
  const [taken, setTaken] = useState(() => fields.flatMap(({ field, edited }) => (edited ? [] : [field])))
  const update = useUpdateFromRecipe(agent, etag, () => {
    notifications.show({ message: t('catalog.updated_done', { version: latest_version }) })
    void navigate({ to: '/w/$workspace/agents/$agent', params: { workspace: slug, agent } })
  })
  const toggle = (field: RecipeDifference['field']) =>
    setTaken((before) => (before.includes(field) ? before.filter((one) => one !== field) : [...before, field]))
  return (
    <>
      <Text mb="sm">{t('catalog.from_to', { from: installed_version, to: latest_version })}</Text>
      <Card padding={0} mb="md" maw={820}>
        {fields.length === 0 && <Text p="md">{t('catalog.no_differences')}</Text>}
        {fields.map((difference) => (
          <Difference
            key={difference.field}
            difference={difference}
            isTaken={taken.includes(difference.field)}
            onToggle={() => toggle(difference.field)}
          />
        ))}
      </Card>
      {update.error && <ProblemAlert error={update.error} />}
      <Group justify="flex-end" maw={820}>
        <ButtonLink variant="default" to="/w/$workspace/agents/$agent" params={{ workspace: slug, agent }}>
          {t('ui.cancel')}
        </ButtonLink>
        <Button loading={update.isPending} onClick={() => update.mutate({ version: latest_version, fields: taken })}>
          {t('catalog.update')}
        </Button>
      </Group>
    </>
  )
}

type DifferenceProps = { difference: RecipeDifference; isTaken: boolean; onToggle: () => void }

function Difference({ difference: { field, current, latest, edited }, isTaken, onToggle }: DifferenceProps) {
  const { t } = useTranslation()
  const fieldName = useFieldName()
  const text = useValueText(field)
  return (
    <section className={classes.difference} aria-label={fieldName(field)}>
      <Checkbox
        label={t('catalog.take', { field: fieldName(field) })}
        description={edited ? t('catalog.edited_here') : undefined}
        checked={isTaken}
        onChange={onToggle}
      />
      <ComparedText before={text(current)} after={text(latest)} />
    </section>
  )
}

function useValueText(field: RecipeDifference['field']) {
  const { t } = useTranslation()
  return (value: RecipeDifference['latest']) => {
    if (typeof value === 'boolean') return t(value ? 'catalog.on' : 'catalog.off')
    if (Array.isArray(value)) return value.join(', ')
    return field === 'category' ? translateDynamic(t, `agents.categories.${value}`, String(value)) : String(value)
  }
}
