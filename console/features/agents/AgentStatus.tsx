import { Ban, CircleCheck, CircleSlash, CircleX, Clock, Hand, PauseCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../i18n'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'
import type { Agent, AgentRun } from './queries'

/** Shows whether an agent is enabled. */
export function AgentBadge({ agent: { is_active, disabled_reason } }: { agent: Agent }) {
  const { t } = useTranslation()
  if (is_active)
    return (
      <StatusBadge color="success" icon={CircleCheck}>
        {t('agents.active')}
      </StatusBadge>
    )
  return (
    <StatusBadge color={disabled_reason ? 'coral' : 'gray'} icon={disabled_reason ? CircleX : PauseCircle}>
      {t(disabled_reason ? `agents.disabled_reasons.${disabled_reason}` : 'agents.inactive')}
    </StatusBadge>
  )
}

const runStyles: Record<AgentRun['status'], StatusStyle> = {
  queued: { color: 'gray', icon: Clock },
  running: { color: 'blue', icon: null },
  awaiting_review: { color: 'yellow', icon: Hand },
  completed: { color: 'success', icon: CircleCheck },
  failed: { color: 'coral', icon: CircleX },
  skipped: { color: 'gray', icon: CircleSlash },
  canceled: { color: 'gray', icon: Ban },
}

export function RunBadge({ status }: Pick<AgentRun, 'status'>) {
  const { t } = useTranslation()
  return <StatusBadge {...runStyles[status]}>{t(`agents.run_status.${status}`)}</StatusBadge>
}

/** Returns the reason of a run or of one of its posts as a sentence. */
export function useReasonText() {
  const { t } = useTranslation()
  return (reason: string) => translateDynamic(t, `agents.reasons.${reason}`, reason)
}
