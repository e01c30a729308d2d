import { Alert, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiProblem, plansQuery } from '../../api'
import { AnchorLink } from '../navigation/AnchorLink'
import { AlertIcon, RetryIcon } from './icons'
import { isPlanLimit, problemMessage } from './problem'

/** The error message, with a link to the plans if another one allows the action. */
export function ProblemText({ error }: { error: unknown }) {
  const { t } = useTranslation()
  // The response has only the plan's code.
  useQuery({ ...plansQuery, enabled: isPlanLimit(error) })
  return (
    <>
      {problemMessage(t, error)}
      {isPlanLimit(error) && (
        <>
          {' '}
          <AnchorLink to="/pricing">{t('usage.compare')}</AnchorLink>
        </>
      )}
    </>
  )
}

/** Shows a failed load or action. */
export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <Alert color="coral" icon={<AlertIcon />} title={t('ui.wrong')} role="alert" mb="md">
      <Text>
        <ProblemText error={error} />
      </Text>
      {error instanceof ApiProblem && error.problem.status >= 500 && error.problem.request_id && (
        <Text c="dimmed" mt={4}>
          {t('ui.request_id', { id: error.problem.request_id })}
        </Text>
      )}
      {onRetry && (
        <Button mt="sm" variant="default" leftSection={<RetryIcon />} onClick={onRetry}>
          {t('ui.again')}
        </Button>
      )}
    </Alert>
  )
}
