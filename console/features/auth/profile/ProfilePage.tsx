import { Button, Stack } from '@mantine/core'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { DeleteAccountSection } from './DeleteAccountSection'
import { EmailSection } from './EmailSection'
import { PasswordSection } from './PasswordSection'
import { PersonalDetailsSection } from './PersonalDetailsSection'
import classes from './Profile.module.css'
import { ProfileSection } from './ProfileSection'
import { TwoFactorSection } from './TwoFactorSection'

/** The user's settings that do not depend on a workspace. */
export function ProfilePage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.profile'))
  return (
    <div className={classes.profile}>
      <PageHeader title={t('pages.profile')} about={t('profile.about')} />
      <Stack gap="lg">
        <PersonalDetailsSection />
        <EmailSection />
        <PasswordSection />
        <TwoFactorSection />
        <ProfileSection title={t('pages.sessions')} about={t('profile.sessions_about')}>
          <ButtonLink to="/profile/sessions" variant="default">
            {t('profile.sessions_see')}
          </ButtonLink>
        </ProfileSection>
        <ProfileSection title={t('profile.export')} about={t('profile.export_about')}>
          <Button
            variant="default"
            component="a"
            href="/api/v1/me/export"
            download="meydan-export.json"
            leftSection={<Download size={17} />}
          >
            {t('profile.export_get')}
          </Button>
        </ProfileSection>
        <DeleteAccountSection />
      </Stack>
    </div>
  )
}
