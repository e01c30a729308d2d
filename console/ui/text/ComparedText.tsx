import { useMemo } from 'react'
import classes from './ComparedText.module.css'
import { compareWords } from './compare-words'

/** A text with what was removed and added. */
export function ComparedText({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => compareWords(before, after), [before, after])
  return (
    <div className={classes.compared} dir="auto">
      {pieces.map(({ kind, text }, index) => {
        const Element = ({ same: 'span', added: 'ins', removed: 'del' } as const)[kind]
        // biome-ignore lint/suspicious/noArrayIndexKey: a comparison never changes
        return <Element key={index}>{text}</Element>
      })}
    </div>
  )
}
