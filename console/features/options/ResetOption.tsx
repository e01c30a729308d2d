import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { resetEffect } from './labels'
import { useResetOption } from './mutations'
import type { Option } from './queries'
import { focusControl } from './useOptionDraft'

/** Removes an option's value, which the default or the environment then replaces. */
export function ResetOption({ option, name }: { option: Option; name: string }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const secret = option.type === 'secret'
  const reset = useResetOption(option, () => {
    setAsking(false)
    notifications.show({ message: t(secret ? 'admin.options.removed' : 'admin.options.reset_done', { name }) })
    setTimeout(() => document.activeElement === document.body && focusControl(option.key), 300)
  })
  return (
    <>
      <Button
        variant="subtle"
        c={secret ? 'var(--mantine-color-error)' : undefined}
        color={secret ? 'coral' : undefined}
        leftSection={secret ? <Trash2 size={15} /> : <RotateCcw size={15} />}
        aria-label={t(secret ? 'admin.options.remove_of' : 'admin.options.reset_of', { name })}
        onClick={() => setAsking(true)}
      >
        {t(secret ? 'admin.options.remove' : 'admin.options.reset')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t(secret ? 'admin.options.remove_ask' : 'admin.options.reset_ask', { name })}
        confirm={t(secret ? 'admin.options.remove' : 'admin.options.reset')}
        mutation={{ ...reset, error: isStatus(reset.error, 404) ? null : reset.error }}
        onConfirm={() => reset.mutate()}
      >
        <Text>{resetEffect(t, option)}</Text>
      </ConfirmDialog>
    </>
  )
}
