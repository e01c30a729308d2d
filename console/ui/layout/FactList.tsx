import type { ReactNode } from 'react'
import classes from './FactList.module.css'

/** Lists names with their values: each name at the start of a line, its value at the end. */
export const FactList = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>

export const Fact = ({ name, isTotal, children }: { name: string; isTotal?: boolean; children?: ReactNode }) => (
  <div className={isTotal ? classes.total : undefined}>
    <dt>{name}</dt>
    {children !== undefined && <dd>{children}</dd>}
  </div>
)
