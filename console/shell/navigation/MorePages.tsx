import { Group, NavLink } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { ChevronDown, Ellipsis } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWaitingBehindMore } from '../../navigation'
import { CountBadge } from '../../ui/feedback/CountBadge'
import classes from './Sidebar.module.css'

/**
 * The pages that are not for every day, behind a button. In the drawer of a phone they are always shown.
 * `isInside`: the current page is one of them, so they are shown. Use it as the key, too: leaving them folds them
 * again, unless the user opened them.
 */
export function MorePages({ isInside, children }: { isInside: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  const [isRemembered, remember] = useLocalStorage({
    key: 'meydan.more-pages',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [isOpen, setOpen] = useState(isRemembered || isInside)
  const count = useWaitingBehindMore()
  const toggle = () => {
    setOpen(!isOpen)
    remember(!isOpen)
  }
  return (
    <>
      <NavLink
        component="button"
        visibleFrom="sm"
        className={classes.link}
        label={t('shell.more')}
        leftSection={<Ellipsis size={18} />}
        rightSection={
          <Group gap={6} wrap="nowrap">
            {!isOpen && <CountBadge count={count} label={t('shell.waiting', { count })} />}
            <ChevronDown size={16} className={classes.chevron} />
          </Group>
        }
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      />
      <div id={id} className={classes.more} data-folded={!isOpen || undefined}>
        {children}
      </div>
    </>
  )
}
