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

/** A text with its files that a warning stands for, until a reader opens it. */
export function Warned({ warning, children }: Props) {
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

/** Files that a warning lies on, until a reader opens it. */
export function Covered({ warning, children }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!warning || isOpen) return children
  return (
    <div className={classes.covered}>
      <div inert className={classes.hidden}>
        {children}
      </div>
      <div className={classes.cover}>
        <EyeOff size={20} aria-hidden="true" />
        <b>{warning}</b>
        <Button variant="white" color="dark" size="compact-sm" aria-expanded={false} onClick={() => setOpen(true)}>
          {t('compose.preview_show')}
        </Button>
      </div>
    </div>
  )
}
