import { Button, Card, Text, Title } from '@mantine/core'
import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useNetworkNames } from '../networks/queries'
import classes from './agents.module.css'
import { Findings } from './Findings'
import { usePreviewAgent } from './mutations'
import type { Agent } from './queries'

/** Has the agent write one text, which is not kept. */
export function PreviewCard({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const nameOf = useNetworkNames()
  const preview = usePreviewAgent(agent.id)
  const { data } = preview
  return (
    <Card component="section" aria-labelledby="preview">
      <Title order={2} size="h3" id="preview">
        {t('agents.preview')}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {t('agents.preview_about')}
      </Text>
      <Button
        variant="default"
        leftSection={<Sparkles size={17} />}
        loading={preview.isPending}
        onClick={() => preview.mutate()}
      >
        {t(data ? 'agents.preview_again' : 'agents.preview_write')}
      </Button>
      <div aria-live="polite">
        {preview.isPending && <LoadingSkeleton lines={1} height={90} />}
        {preview.error && <ProblemAlert error={preview.error} />}
        {data && !preview.isPending && (
          <>
            {data.content && <Text className={`${classes.item} ${classes.text}`}>{data.content}</Text>}
            {data.variants.map(({ network, content }) => (
              <div key={network} className={classes.item}>
                <Text fz="sm" fw={600}>
                  {nameOf(network)}
                </Text>
                <Text className={classes.text}>{content}</Text>
              </div>
            ))}
            {data.skip_reason && (
              <Text mt="sm">
                {t('agents.skipped')} {data.skip_reason}
              </Text>
            )}
            <Findings findings={data.findings} />
          </>
        )}
      </div>
    </Card>
  )
}
