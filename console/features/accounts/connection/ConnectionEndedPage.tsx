import { Center } from '@mantine/core'
import { Link2Off } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'

/** Explains that a sign-in at a network has expired, was used, or began in another session. */
export function ConnectionEndedPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('accounts.sign_in.ended'))
  return (
    <Center component="main" mih="60vh">
      <EmptyState
        icon={<Link2Off size={26} />}
        title={t('accounts.sign_in.ended')}
        action={<ButtonLink to="/">{t('accounts.sign_in.home')}</ButtonLink>}
      >
        {t('accounts.sign_in.ended_detail')}
      </EmptyState>
    </Center>
  )
}
