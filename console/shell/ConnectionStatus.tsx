import { Group } from '@mantine/core'
import { onlineManager } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnreachable } from '../api'
import { useFlag } from '../ui/flag'
import classes from './Shell.module.css'

/** Warns that the page may be out of date while there is no network or no response. */
export function ConnectionStatus() {
  const { t } = useTranslation()
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const lost = useFlag(isUnreachable)
  return (
    <div role="status">
      {(!online || lost) && (
        <Group className={classes.offline} gap="xs" wrap="nowrap">
          <WifiOff size={18} />
          {online ? t('ui.no_response') : t('ui.offline')}
        </Group>
      )}
    </div>
  )
}
