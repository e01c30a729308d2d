import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Shell.module.css'

export function ShellNotifications() {
  const { t } = useTranslation()
  // The theme is the only way to label the button that closes a notification.
  const closable = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('ui.close') } } } } }),
    [t],
  )
  return (
    <MantineThemeProvider theme={closable}>
      <Notifications
        position="bottom-center"
        limit={3}
        // Below dialogs, so that it does not cover their buttons.
        zIndex={190}
        classNames={{ root: classes.notifications, notification: classes.notification }}
      />
    </MantineThemeProvider>
  )
}
