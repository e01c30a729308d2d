import { Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { DeleteSection } from './DeleteSection'
import { EmailSection } from './EmailSection'
import { PasswordSection } from './PasswordSection'
import { PersonSection } from './PersonSection'
import classes from './Profile.module.css'
import { Section } from './Section'
import { TwoFactorSection } from './TwoFactorSection'

/** Everything about who is signed in, wherever they work. */
export function ProfilePage() {
  const { t } = useTranslation()
  useTitle(t('rooms.profile'))
  return (
    <div className={classes.room}>
      <PageHead title={t('rooms.profile')} about={t('profile.about')} />
      <Stack gap="lg">
        <PersonSection />
        <EmailSection />
        <PasswordSection />
        <TwoFactorSection />
        <Section title={t('rooms.sessions')} about={t('profile.sessions_about')}>
          <Button variant="default" renderRoot={(props) => <Link to="/profile/sessions" {...props} />}>
            {t('profile.sessions_see')}
          </Button>
        </Section>
        <Section title={t('profile.export')} about={t('profile.export_about')}>
          <Button
            variant="default"
            component="a"
            href="/api/v1/me/export"
            download="meydan-export.json"
            leftSection={<Download size={17} />}
          >
            {t('profile.export_get')}
          </Button>
        </Section>
        <DeleteSection />
      </Stack>
    </div>
  )
}
