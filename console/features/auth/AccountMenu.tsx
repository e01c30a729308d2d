import {
  Avatar,
  Button,
  type MantineColorScheme,
  Menu,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { BellRing, Check, LogOut, Monitor, MonitorSmartphone, Moon, Sun, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, type Language, languages } from '../../i18n'
import { useSingleKeyShortcuts } from '../../ui/focus/useSingleKeyShortcuts'
import { MenuItemLink } from '../../ui/navigation/MenuItemLink'
import { useChooseLanguage, useSignOut } from './mutations'
import { useMe } from './queries'

export const schemes = { light: Sun, dark: Moon, auto: Monitor } as const satisfies Record<MantineColorScheme, unknown>

export function AccountMenu() {
  const { t } = useTranslation()
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [letterKeys, setLetterKeys] = useSingleKeyShortcuts()
  const leave = useSignOut()
  const choose = useChooseLanguage()
  return (
    <Menu width={232} position="top-start" shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px={6}
          h={44}
          fullWidth
          justify="flex-start"
          leftSection={<Avatar size={28} name={me.name} aria-hidden="true" />}
        >
          <VisuallyHidden>{t('account_menu.label', { name: me.name })}</VisuallyHidden>
          <Text fw={550} truncate aria-hidden="true">
            {me.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.email}</Menu.Label>
        <MenuItemLink to="/profile" leftSection={<UserRound size={16} />}>
          {t('pages.profile')}
        </MenuItemLink>
        <MenuItemLink to="/profile/sessions" leftSection={<MonitorSmartphone size={16} />}>
          {t('pages.sessions')}
        </MenuItemLink>
        <MenuItemLink to="/profile/notifications" leftSection={<BellRing size={16} />}>
          {t('pages.notification_settings')}
        </MenuItemLink>
        <Menu.Divider />
        <Menu.Label>{t('account_menu.appearance')}</Menu.Label>
        {(Object.keys(schemes) as MantineColorScheme[]).map((scheme) => {
          const Icon = schemes[scheme]
          return (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              checked={scheme === colorScheme}
              checkIcon={<Check size={16} />}
              rightSection={<Icon size={16} />}
              onChange={() => setColorScheme(scheme)}
            >
              {t(`account_menu.${scheme}`)}
            </Menu.RadioItem>
          )
        })}
        <Menu.Divider />
        <Menu.Label>{t('account_menu.language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Menu.RadioItem
            key={language}
            value={language}
            checked={language === currentLanguage()}
            checkIcon={<Check size={16} />}
            lang={language}
            onChange={() => choose.mutate(language)}
          >
            {languages[language]}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem checked={letterKeys} onChange={setLetterKeys} checkIcon={<Check size={16} />}>
          {t('account_menu.single_key_shortcuts')}
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => leave.mutate()}>
          {t('account_menu.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
