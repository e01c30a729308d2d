import { ActionIcon, type ActionIconProps, type ElementProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCurrentWorkspace } from '../workspaces/queries'
import { useUnreadCount } from './change-check'
import classes from './Notifications.module.css'

const IconLink = createLink((props: ActionIconProps & ElementProps<'a', keyof ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
))

const MAX_SHOWN = 99

/** Leads to the notifications, with the number of those that are unread. */
export function Bell({ visibleFrom }: Pick<ActionIconProps, 'visibleFrom'>) {
  const { t } = useTranslation()
  const count = useUnreadCount(useCurrentWorkspace())
  const label = count === 0 ? t('notifications.bell') : t('notifications.bell_unread', { count })
  return (
    <IconLink
      to="/notifications"
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size={44}
      aria-label={label}
      title={label}
      className={classes.bell}
      {...(visibleFrom !== undefined && { visibleFrom })}
    >
      <BellIcon size={20} aria-hidden="true" />
      {count > 0 && (
        <span className={classes.unread} aria-hidden="true">
          {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
        </span>
      )}
    </IconLink>
  )
}
