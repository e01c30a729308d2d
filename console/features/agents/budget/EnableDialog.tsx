import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import type { Agent } from '../queries'
import { useScheduleText } from '../schedule-text'
import { EstimateText, useBudgetText } from './EstimateText'

type Props = {
  agent: Agent
  opened: boolean
  onClose: () => void
  isPending: boolean
  onConfirm: () => void
}

/** Shows what an agent will cost before it is enabled. */
export function EnableDialog({ agent, opened, onClose, isPending, onConfirm }: Props) {
  const { t } = useTranslation()
  const scheduleText = useScheduleText()
  const budgetText = useBudgetText()
  const { name, schedule_cron, timezone, autonomy_level, estimate } = agent
  return (
    <Dialog opened={opened} onClose={onClose} title={t('agents.enable_ask', { name })}>
      <Stack gap="sm" mb="md">
        <Text>
          {scheduleText(schedule_cron)}
          {schedule_cron !== null && ` (${timezone})`}. {t(`agents.levels_about.${autonomy_level}`)}
        </Text>
        <EstimateText estimate={estimate} limit={agent.monthly_spend_limit_usd} />
        <Text fz="sm">{budgetText(agent)}</Text>
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button loading={isPending} onClick={onConfirm}>
          {t('agents.enable')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
