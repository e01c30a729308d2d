import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MailQuestion } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { instanceQuery } from './queries'

/** Says where to find a mail while this Meydan has no mail server. */
export function MailHint() {
  const { t } = useTranslation()
  const instance = useQuery(instanceQuery).data
  if (instance === undefined || instance.sends_mail) return null
  return (
    <Alert mb="md" color="yellow" icon={<MailQuestion size={20} />} title={t('mail_hint.title')}>
      {t('mail_hint.detail')}
    </Alert>
  )
}
