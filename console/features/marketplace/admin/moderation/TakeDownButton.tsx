import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { PromptDialog } from '../../../billing/admin/PromptDialog'

type Props = {
  title: string
  /** Explains what it changes, and for whom. */
  detail: string
  /** Names the reader of the reason. */
  about: string
  send: (reason: string) => Promise<unknown>
  onDone: () => unknown
}

/** Hides what a user has published, with a reason for that user. */
export function TakeDownButton({ title, detail, about, send, onDone }: Props) {
  const { t } = useTranslation()
  const [asking, ask] = useDisclosure(false)
  return (
    <>
      <Button variant="default" onClick={ask.open} aria-label={t('admin.marketplace.take_down_one', { title })}>
        {t('admin.marketplace.take_down')}
      </Button>
      <PromptDialog
        opened={asking}
        onClose={ask.close}
        title={t('admin.marketplace.take_down_ask', { title })}
        detail={detail}
        fields={[{ name: 'reason', label: t('admin.billing.reason'), about, required: true }]}
        action={t('admin.marketplace.take_down')}
        color="coral"
        send={({ reason = '' }) => send(reason)}
        onDone={() => {
          notifications.show({ message: t('admin.marketplace.taken_down', { title }) })
          return onDone()
        }}
      />
    </>
  )
}
