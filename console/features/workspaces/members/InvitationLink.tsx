import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../ui/copy/CopyText'
import { focusButton } from '../../../ui/forms/OneTimeSecret'

/** The link of an invitation, to pass on by other means than the mail. `children`: the result of the call. */
export function InvitationLink({
  email,
  url,
  onClose,
  children,
}: {
  email: string
  url: string
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <Stack ref={focusButton}>
      <Text role="status">{children}</Text>
      <Text c="dimmed" fz="sm">
        {t('invitations.link_about', { email })}
      </Text>
      <CopyText text={url}>
        <Button onClick={onClose}>{t('invitations.link_done')}</Button>
      </CopyText>
    </Stack>
  )
}
