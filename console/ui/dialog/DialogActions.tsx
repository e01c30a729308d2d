import { Group, type GroupProps } from '@mantine/core'
import classes from './DialogActions.module.css'

/** The buttons of a dialog. They stay in view while its content scrolls. */
export const DialogActions = (props: GroupProps) => <Group justify="flex-end" {...props} className={classes.actions} />
