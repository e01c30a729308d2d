import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './StatusBadge.module.css'

/** `icon`: null for one that turns, because work is in progress. */
export type StatusStyle = { color: string; icon: LucideIcon | null }

const statusColors = (color: string) => ({
  backgroundColor: `var(--mantine-color-${color}-light)`,
  color: `var(--mantine-color-${color}-light-color)`,
})

/** Shows a status by icon, colour and word. It uses plain elements, because lists have many. */
export const StatusBadge = ({ color, icon: Icon, children }: StatusStyle & { children: ReactNode }) => (
  <span className={classes.badge} style={statusColors(color)}>
    {Icon ? (
      <Icon size={14} aria-hidden="true" />
    ) : (
      <LoaderCircle size={14} className={classes.turning} aria-hidden="true" />
    )}
    {children}
  </span>
)
