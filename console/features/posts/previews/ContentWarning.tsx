import { Button } from '@mantine/core'
import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './previews.module.css'

type Props = {
  /** The warning; empty covers nothing. */
  warning: string
  children: ReactNode
}

/** A warning in place of a text with its files, until a reader opens it. */
export function ContentWarning({ warning, children }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!warning) return children
  return (
    <>
      <div className={classes.warning}>
        <p dir="auto">{warning}</p>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'compose.preview_less' : 'compose.preview_show')}
        </Button>
      </div>
      {isOpen && children}
    </>
  )
}

/** A warning on blurred files, until a reader opens it. */
export function MediaWarning({ warning, children }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!warning) return children
  return (
    <div className={classes.covered}>
      <div inert={!isOpen} className={classes.hidden}>
        {children}
      </div>
      <div className={classes.cover} data-open={isOpen || undefined}>
        {!isOpen && <EyeOff size={20} aria-hidden="true" />}
        {!isOpen && <b>{warning}</b>}
        <Button variant="white" color="dark" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'compose.preview_less' : 'compose.preview_show')}
        </Button>
      </div>
    </div>
  )
}
