import { Menu } from '@mantine/core'
import { CalendarSync, Ellipsis, Flag, Printer } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { type CalendarSearch, type Coloring, colorings } from '../search-params'
import { ToolButton } from './ToolButton'

const CalendarFeedsDialog = lazy(async () => ({
  default: (await import('../sharing/CalendarFeedsDialog')).CalendarFeedsDialog,
}))
const HolidayDialog = lazy(async () => ({ default: (await import('./holidays/HolidayDialog')).HolidayDialog }))

const STATUS = 'status'

type Props = Pick<CalendarSearch, 'color'> & {
  /** Chooses what the edges of posts show. */
  onColor: ((color: Coloring | undefined) => void) | undefined
  withHolidays: boolean
}

/** Menu of the calendar: colors, holidays, printing, and the address for other programs. */
export function CalendarMenu({ color, onColor, withHolidays }: Props) {
  const { t } = useTranslation()
  const mayChange = isAtLeast(useWorkspace(), 'admin')
  const [showsHolidays, setShowsHolidays] = useState(false)
  const [showsFeeds, setShowsFeeds] = useState<boolean>()
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ToolButton icon={Ellipsis} label={t('calendar.more')} aria-label={t('calendar.more_tools')} />
        </Menu.Target>
        <Menu.Dropdown>
          {withHolidays && (
            <Menu.Item leftSection={<Flag size={17} />} onClick={() => setShowsHolidays(true)}>
              {t(mayChange ? 'calendar_holidays.choose' : 'calendar_holidays.title')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Printer size={17} />} onClick={() => window.print()}>
            {t('calendar.print')}
          </Menu.Item>
          <Menu.Item leftSection={<CalendarSync size={17} />} onClick={() => setShowsFeeds(true)}>
            {t('calendar_feeds.button')}
          </Menu.Item>
          {onColor && (
            <>
              <Menu.Divider />
              <Menu.Label>{t('calendar.color_by')}</Menu.Label>
              <Menu.RadioGroup
                value={color ?? STATUS}
                onChange={(value: string) => onColor(colorings.find((name) => name === value))}
              >
                {([STATUS, ...colorings] as const).map((value) => (
                  <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                    {t(`calendar.color_${value}`)}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {showsHolidays && <HolidayDialog onClose={() => setShowsHolidays(false)} />}
        {showsFeeds !== undefined && <CalendarFeedsDialog opened={showsFeeds} onClose={() => setShowsFeeds(false)} />}
      </Suspense>
    </>
  )
}
