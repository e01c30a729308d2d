import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { problemMessage } from './problem'

/** Says in a notification what went wrong, for what has no place of its own to say it: `onError: useTell()`. */
export function useTell() {
  const { t } = useTranslation()
  return (error: unknown) => void notifications.show({ color: 'coral', message: problemMessage(t, error) })
}
