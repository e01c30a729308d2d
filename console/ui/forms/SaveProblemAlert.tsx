import { Alert, Button, Group } from '@mantine/core'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../api'
import { ProblemAlert } from '../feedback/ProblemAlert'

/** The texts when another user saved first. */
export type ConflictTexts = {
  detail: ReactNode
  title?: string
  /** The label of the button that reloads the record. */
  load?: string
}

type Props = {
  problem: Error | null
  conflict: ConflictTexts
  /** Reloads the record; absent for a new one. */
  onLoad?: (() => void) | undefined
  loading: boolean
}

/** Why a form was not saved. On a version conflict, a button reloads the record and keeps the user's changes. */
export function SaveProblemAlert({ problem, conflict, onLoad, loading }: Props) {
  const { t } = useTranslation()
  if (!problem) return null
  if (!onLoad || !isCode(problem, 'version_conflict')) return <ProblemAlert error={problem} />
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={conflict.title ?? t('ui.conflict')} role="alert">
      {conflict.detail}
      <Group mt="sm">
        <Button variant="default" leftSection={<RefreshCw size={16} />} loading={loading} onClick={onLoad}>
          {conflict.load ?? t('ui.conflict_load')}
        </Button>
      </Group>
    </Alert>
  )
}
