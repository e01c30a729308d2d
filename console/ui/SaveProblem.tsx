import { Alert, Button, Group } from '@mantine/core'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../api'
import { Problem } from './screens'

type Props = {
  problem: Error | null
  /** What became of the change when somebody else was faster. */
  conflict: string
  /** Reads the record as it is now; absent while there is none yet. */
  onLoad?: (() => void) | undefined
  loading: boolean
}

/** Why a form was not saved. When its record was changed elsewhere, that is loaded at a click, and what was written stays. */
export function SaveProblem({ problem, conflict, onLoad, loading }: Props) {
  const { t } = useTranslation()
  if (!problem) return null
  if (!onLoad || !isCode(problem, 'version_conflict')) return <Problem error={problem} />
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('ui.conflict')} role="alert">
      {conflict}
      <Group mt="sm">
        <Button variant="default" leftSection={<RefreshCw size={16} />} loading={loading} onClick={onLoad}>
          {t('ui.conflict_load')}
        </Button>
      </Group>
    </Alert>
  )
}
