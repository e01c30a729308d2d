import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useWorkspace } from '../../workspaces/queries'
import { scarceMeters } from '../pricing/suggested-plan'
import { type Meter, type Usage, usageQuery } from '../queries'
import { UpgradeAdvice, UsageMeter } from './UsageMeter'
import classes from './UsageMeter.module.css'

/** The most viewed meters, after the scarce ones. */
const defaultMeters: Meter[] = ['posts_per_month', 'social_accounts', 'ai_credits']

const metersToShow = (usage: Usage) => {
  const scarce = scarceMeters(usage)
  const others = defaultMeters.flatMap((meter) =>
    usage.meters.filter((use) => use.meter === meter && !scarce.includes(use)),
  )
  return [...scarce, ...others].slice(0, 3)
}

/** The scarcest meters, on the overview. */
export function UsageCard() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const usage = useQuery(usageQuery(slug))
  if (usage.error && !usage.data) return <ProblemAlert error={usage.error} onRetry={() => usage.refetch()} />
  if (!usage.data) return <Skeleton height={128} radius="lg" />
  return (
    <Card component="section" aria-labelledby="usage">
      <Group justify="space-between" mb="md">
        <Group gap="sm">
          <Title order={2} size="h3" id="usage">
            {t('usage.title')}
          </Title>
          {usage.data.billing_enabled && usage.data.plan && (
            <Text c="dimmed">{t('usage.plan', { name: usage.data.plan.name })}</Text>
          )}
        </Group>
        <AnchorLink to="/w/$workspace/settings" params={{ workspace: slug }} hash="usage">
          {t('usage.all')}
        </AnchorLink>
      </Group>
      <Stack>
        <UpgradeAdvice usage={usage.data} />
        <ul className={`${classes.list} ${classes.small}`} aria-labelledby="usage">
          {metersToShow(usage.data).map((use) => (
            <UsageMeter key={use.meter} use={use} usage={usage.data} />
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
