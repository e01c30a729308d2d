import { UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../api'
import { foldText, piecesOf } from './preview-text'
import classes from './previews.module.css'

type Props = {
  text: string
  /** Text beyond the limit, which is struck out. */
  excess?: string
  preview: Network['preview']
  /** Whether all of it is shown at once. */
  isWhole?: boolean
  /** Stands before the text, such as the name of the account. */
  before?: string
}

/** A text as readers see it: links as the network shows them, and the rest behind a button. */
export function PreviewText({ text, excess = '', preview, isWhole = false, before }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const folded = isWhole || excess ? undefined : foldText(text, preview.fold)
  const shown = isOpen || folded === undefined ? text : folded
  const pieces = useMemo(() => piecesOf(shown, preview), [shown, preview])
  return (
    <div className={classes.text} dir="auto">
      {before && <b>{before} </b>}
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other key
        <span key={index} className={piece.isLinked ? classes.linked : undefined}>
          {piece.text}
        </span>
      ))}
      {excess && <del className={classes.excess}>{excess}</del>}
      {folded !== undefined && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'compose.preview_less' : 'compose.preview_more')}
        </UnstyledButton>
      )}
    </div>
  )
}
