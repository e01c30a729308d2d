import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/**
 * Shows that something was done, with a button that undoes it. `id`: unique among the notifications shown. `label`: of the
 * button, where “Undo” would not say what it does.
 */
export function useUndoNotification() {
  const { t } = useTranslation()
  return (id: string, message: string, undo: () => void, label = t('ui.undo')) => {
    const onUndo = () => {
      notifications.hide(id)
      undo()
    }
    notifications.show({
      id,
      autoClose: 12_000,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text>{message}</Text>
          <Button size="compact-md" variant="light" onClick={onUndo}>
            {label}
          </Button>
        </Group>
      ),
    })
  }
}
