import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { usageQuery } from '../queries'
import { UpgradeAdvice, UsageMeter } from './UsageMeter'
import classes from './UsageMeter.module.css'

/** Every meter with its usage and its limit, in the settings. */
export function UsageSection() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat('UTC')
  const usage = useQuery(usageQuery(slug))
  const section = useRef<HTMLElement>(null)
  const isThere = usage.data !== undefined
  // The content above has its height by then.
  useEffect(() => {
    if (isThere && location.hash === '#usage') section.current?.scrollIntoView({ block: 'start' })
  }, [isThere])
  return (
    <Card ref={section} component="section" id="usage" className={classes.section} aria-labelledby="usage-title">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h3" id="usage-title">
            {t('usage.title')}
          </Title>
          {usage.data && (
            <Text c="dimmed" fz="sm">
              {!usage.data.billing_enabled
                ? t('usage.not_billed')
                : t('usage.plan_since', {
                    name: usage.data.plan?.name ?? '–',
                    date: format.date(usage.data.period_start),
                  })}
            </Text>
          )}
        </div>
        {usage.data?.billing_enabled && (
          <AnchorLink to="/pricing" search={{ workspace: slug }}>
            {t('usage.compare')}
          </AnchorLink>
        )}
      </Group>
      <Stack mt="md" gap="md">
        {usage.error && !usage.data && <ProblemAlert error={usage.error} onRetry={() => usage.refetch()} />}
        {usage.isPending && <LoadingSkeleton lines={3} height={44} />}
        {usage.data && (
          <>
            <UpgradeAdvice usage={usage.data} />
            <ul className={`${classes.list} ${classes.full}`} aria-labelledby="usage-title">
              {usage.data.meters.map((use) => (
                <UsageMeter key={use.meter} use={use} usage={usage.data} />
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Card>
  )
}
