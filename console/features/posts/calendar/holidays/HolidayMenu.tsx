import { Menu, ScrollArea } from '@mantine/core'
import { Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../ui/text/format'
import { ToolButton } from '../ToolButton'
import { countries, type useHolidays } from './useHolidays'

const NONE = 'none'

/** Chooses the country whose public holidays the calendar shows. */
export function HolidayMenu({ country, choose }: Pick<ReturnType<typeof useHolidays>, 'country' | 'choose'>) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const named = countries
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, locale))
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolButton label={t('calendar_holidays.choose')}>
          <Flag size={18} />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320}>
          <Menu.RadioGroup value={country ?? NONE} onChange={(code: string) => choose(code === NONE ? null : code)}>
            {[{ code: NONE, name: t('calendar_holidays.none') }, ...named].map(({ code, name }) => (
              <Menu.RadioItem key={code} value={code} closeMenuOnClick>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
