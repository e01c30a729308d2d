import { Card, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useFormat } from '../../../ui/text/format'
import classes from '../catalog.module.css'
import { useFieldName } from '../fields'
import { type RecipeVersion, versionsQuery } from '../queries'

/** The versions of a recipe with the fields that each changed, newest first. */
export function RecipeVersions({ id }: { id: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const fieldName = useFieldName()
  const versions = useInfiniteQuery(versionsQuery(id))
  const shown = versions.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card component="section" aria-labelledby="versions">
      <Title order={2} size="h3" id="versions" mb="sm">
        {t('catalog.versions')}
      </Title>
      {versions.error && !versions.data && <ProblemAlert error={versions.error} onRetry={() => versions.refetch()} />}
      {versions.isPending && <LoadingSkeleton lines={1} height={40} />}
      <ol className={classes.versions}>
        {shown.map((one, index) => {
          const changed = changedFields(one, shown[index + 1]).map(fieldName)
          return (
            <li key={one.version}>
              <Text fw={600}>{t('catalog.version', { version: one.version })}</Text>
              <Text fz="sm" c="dimmed">
                <time dateTime={one.created_at}>{format.date(one.created_at)}</time>
                {changed.length > 0 && ` · ${t('catalog.changed', { fields: format.list(changed) })}`}
              </Text>
            </li>
          )
        })}
      </ol>
      <LoadMore of={versions} />
    </Card>
  )
}

/** The names of the fields in which a version differs from the one before it. */
function changedFields(version: RecipeVersion, before: RecipeVersion | undefined) {
  if (!before) return []
  const old: Record<string, unknown> = before
  return Object.entries(version).flatMap(([name, value]) =>
    name !== 'version' && name !== 'created_at' && JSON.stringify(value) !== JSON.stringify(old[name]) ? [name] : [],
  )
}
