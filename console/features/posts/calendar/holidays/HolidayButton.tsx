import { Flag } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAtLeast, useWorkspace } from '../../../workspaces/queries'
import { ToolButton } from '../ToolButton'

const HolidayDialog = lazy(async () => ({ default: (await import('./HolidayDialog')).HolidayDialog }))

/** Opens the choice of the country whose public holidays the calendar shows. */
export function HolidayButton() {
  const { t } = useTranslation()
  const mayChange = isAtLeast(useWorkspace(), 'admin')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ToolButton
        label={t(mayChange ? 'calendar_holidays.choose' : 'calendar_holidays.title')}
        onClick={() => setOpened(true)}
      >
        <Flag size={18} />
      </ToolButton>
      {opened && (
        <Suspense fallback={null}>
          <HolidayDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
