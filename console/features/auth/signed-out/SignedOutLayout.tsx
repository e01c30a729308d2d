import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { currentLanguage, type Language, languages, setLanguage } from '../../../i18n'
import { Logo } from '../../../ui/layout/Logo'
import classes from './SignedOutLayout.module.css'

/** The layout of every page shown before sign-in. */
export function SignedOutLayout() {
  const { t } = useTranslation()
  return (
    <div className={classes.page}>
      <aside className={classes.square} aria-hidden="true">
        <div className={classes.words}>
          <Text className={classes.slogan}>{t('signed_out.slogan')}</Text>
          <Text className={classes.more}>{t('signed_out.more')}</Text>
        </div>
        <Arcade />
      </aside>
      <div className={classes.side}>
        <Group component="header" justify="space-between" p="lg">
          <Group gap="xs">
            <Logo size={28} />
            <Text fw={700} fz="lg" lts="-0.01em">
              Meydan
            </Text>
          </Group>
          <LanguageLinks />
        </Group>
        <Box component="main" className={classes.main}>
          <Outlet />
        </Box>
      </div>
    </div>
  )
}

function LanguageLinks() {
  const other = (Object.keys(languages) as Language[]).filter((language) => language !== currentLanguage())
  return other.map((language) => (
    <Anchor key={language} component="button" type="button" lang={language} onClick={() => void setLanguage(language)}>
      {languages[language]}
    </Anchor>
  ))
}

/** The arches of the logo, repeated across the square. */
const Arcade = () => (
  <svg className={classes.arcade} preserveAspectRatio="xMidYMax slice" viewBox="0 0 600 300" aria-hidden="true">
    <defs>
      <pattern id="arches" width="100" height="300" patternUnits="userSpaceOnUse">
        <path d="M14 300V150a36 36 0 0 1 72 0v150z" fill="rgb(255 255 255 / 0.09)" />
        <path d="M26 300V154a24 24 0 0 1 48 0v146z" fill="rgb(255 255 255 / 0.07)" />
      </pattern>
    </defs>
    <circle cx="300" cy="64" r="30" fill="#ffb454" />
    <rect width="600" height="300" fill="url(#arches)" />
  </svg>
)

/** The heading and explanation of a signed-out page. */
export const SignedOutHeading = ({ title, children }: { title: string; children?: React.ReactNode }) => (
  <Box mb="lg">
    <Title order={1}>{title}</Title>
    {children && (
      <Text c="dimmed" mt={6}>
        {children}
      </Text>
    )}
  </Box>
)
