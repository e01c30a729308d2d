import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../ui/screens'
import { useWorkspace } from '../workspaces/queries'
import { scarceOf } from './help'
import { Advice, MeterLine } from './Meters'
import classes from './Meters.module.css'
import { type Meter, type Usage, usageQuery } from './queries'

/** What is looked at most, when nothing is about to run out. */
const usual: Meter[] = ['posts_per_month', 'social_accounts', 'ai_credits']

const shownOf = (usage: Usage) => {
  const scarce = scarceOf(usage)
  const others = usual.flatMap((meter) => usage.meters.filter((use) => use.meter === meter && !scarce.includes(use)))
  return [...scarce, ...others].slice(0, 3)
}

/** On the overview: what runs out first. */
export function UsageCard() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const usage = useQuery(usageQuery(slug))
  if (usage.error && !usage.data) return <Problem error={usage.error} onRetry={() => usage.refetch()} />
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
        <Anchor
          renderRoot={(props) => (
            <Link to="/w/$workspace/settings" params={{ workspace: slug }} hash="usage" {...props} />
          )}
        >
          {t('usage.all')}
        </Anchor>
      </Group>
      <Stack>
        <Advice usage={usage.data} />
        <ul className={`${classes.list} ${classes.small}`} aria-labelledby="usage">
          {shownOf(usage.data).map((use) => (
            <MeterLine key={use.meter} use={use} usage={usage.data} />
          ))}
        </ul>
      </Stack>
    </Card>
  )
}
