import { Anchor, Box, Group, Text, Title } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { currentLanguage, type Language, languages, setLanguage } from '../../i18n'
import { Mark } from '../../ui/Mark'
import classes from './Doors.module.css'

/** What stands around every page that is shown before somebody has signed in. */
export function Doors() {
  const { t } = useTranslation()
  return (
    <div className={classes.page}>
      <aside className={classes.square} aria-hidden="true">
        <div className={classes.words}>
          <Text className={classes.slogan}>{t('doors.slogan')}</Text>
          <Text className={classes.more}>{t('doors.more')}</Text>
        </div>
        <Arcade />
      </aside>
      <div className={classes.side}>
        <Group component="header" justify="space-between" p="lg">
          <Group gap="xs">
            <Mark size={28} />
            <Text fw={700} fz="lg" lts="-0.01em">
              Meydan
            </Text>
          </Group>
          <Languages />
        </Group>
        <Box component="main" className={classes.main}>
          <Outlet />
        </Box>
      </div>
    </div>
  )
}

function Languages() {
  const other = (Object.keys(languages) as Language[]).filter((language) => language !== currentLanguage())
  return other.map((language) => (
    <Anchor key={language} component="button" type="button" lang={language} onClick={() => void setLanguage(language)}>
      {languages[language]}
    </Anchor>
  ))
}

/** The arcade of the mark, going on around the square. */
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

/** Heading and explanation of one of these pages. */
export const DoorHead = ({ title, children }: { title: string; children?: React.ReactNode }) => (
  <Box mb="lg">
    <Title order={1}>{title}</Title>
    {children && (
      <Text c="dimmed" mt={6}>
        {children}
      </Text>
    )}
  </Box>
)
