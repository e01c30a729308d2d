import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { Waiting } from '../../ui/Waiting'
import { useWorkspace } from '../workspaces/queries'
import { Advice, MeterLine } from './Meters'
import classes from './Meters.module.css'
import { usageQuery } from './queries'

/** In the settings: everything that is counted, and how much of it there may be. */
export function UsageSection() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat('UTC')
  const usage = useQuery(usageQuery(slug))
  const section = useRef<HTMLElement>(null)
  const isThere = usage.data !== undefined
  // What stands above has found its height by then.
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
          <Anchor renderRoot={(props) => <Link to="/pricing" search={{ workspace: slug }} {...props} />}>
            {t('usage.compare')}
          </Anchor>
        )}
      </Group>
      <Stack mt="md" gap="md">
        {usage.error && !usage.data && <Problem error={usage.error} onRetry={() => usage.refetch()} />}
        {usage.isPending && <Waiting lines={3} height={44} />}
        {usage.data && (
          <>
            <Advice usage={usage.data} />
            <ul className={`${classes.list} ${classes.full}`} aria-labelledby="usage-title">
              {usage.data.meters.map((use) => (
                <MeterLine key={use.meter} use={use} usage={usage.data} />
              ))}
            </ul>
          </>
        )}
      </Stack>
    </Card>
  )
}
