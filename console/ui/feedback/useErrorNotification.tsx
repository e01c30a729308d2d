import { notifications } from '@mantine/notifications'
import { ProblemText } from './ProblemAlert'

/** Shows an error as a notification, for actions without an alert of their own: `onError: useErrorNotification()`. */
export const useErrorNotification = () => (error: unknown) =>
  void notifications.show({ color: 'coral', message: <ProblemText error={error} /> })
