import { notifications } from '@mantine/notifications'
import { ProblemText } from './screens'

/** Says in a notification what went wrong, for what has no place of its own to say it: `onError: useTell()`. */
export const useTell = () => (error: unknown) =>
  void notifications.show({ color: 'coral', message: <ProblemText error={error} /> })
